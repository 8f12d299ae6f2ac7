// Money is whole cents everywhere; only here does it become text, and text money.

const MINUS = "\u2212";

/** `123450` → `1,234.50`, with the currency's sign before it where one is given. */
export function money(cents: number, currency = ""): string {
  const whole = Math.abs(Math.trunc(cents));
  const units = Math.floor(whole / 100).toString();
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ",");
  const text = `${grouped}.${(whole % 100).toString().padStart(2, "0")}`;
  // A sign such as S$ sits close; a code such as SGD needs air, and must not part from its figure.
  const gap = /[A-Za-z]$/.test(currency) ? "\u00a0" : "";
  return `${cents < 0 && whole ? MINUS : ""}${currency}${gap}${text}`;
}

/** As little as says it, where there is no room for more: `2500` → `25`, `3750` → `37.50`, `500000` → `5K`. */
export function brief(cents: number): string {
  if (cents < 1_000_00) return money(cents).replace(/\.00$/, "");
  const [size, letter] = cents < 1_000_000_00 ? [1_000_00, "K"] : [1_000_000_00, "M"];
  // Three figures; never more than there is.
  const step = cents < 10 * size ? 100 : cents < 100 * size ? 10 : 1;
  return `${Math.floor((cents * step) / size) / step}${letter}`;
}

/** The cents that a person typed, or null where it is not an amount: `1,234.5` → `123450`. */
export function parseMoney(text: string): number | null {
  // A comma that parts no thousands may be meant for a point: neither `12,34` nor `0,500` is an amount.
  const plain = text.replace(/[\s\u00a0]/g, "");
  const match = /^(\d{1,12}|[1-9]\d{0,2}(?:,\d{3}){1,3})(?:\.(\d{0,2}))?$/.exec(plain);
  if (!match) return null;
  return Number(match[1]?.replaceAll(",", "")) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
