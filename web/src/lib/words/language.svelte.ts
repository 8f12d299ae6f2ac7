import { house } from "../house";
import { keep, kept } from "../kept";

export type Language = "en" | "zh";

const NAME = "language";
const TAGS: Record<Language, string> = { en: "en", zh: "zh-Hans" };

const isKnown = (value: string): value is Language => value === "en" || value === "zh";
const told = house.languages.filter(isKnown);
const offered: readonly Language[] = told.length ? told : ["en", "zh"];

const isOffered = (value: string | null): value is Language => offered.some((each) => each === value);

/** What was chosen on this device, else what the browser likes best, else the first of the floor. */
function first(): Language {
  const value = kept(NAME);
  if (isOffered(value)) return value;
  const liked = navigator.languages.map((each) => each.toLowerCase().slice(0, 2));
  return liked.find(isOffered) ?? offered[0] ?? "en";
}

let current = $state<Language>(first());

function apply(): void {
  document.documentElement.lang = TAGS[current];
}
apply();

/** The language of the page; whatever reads it is written anew when it changes. */
export const language = {
  get current(): Language {
    return current;
  },
  /** The one to switch to; null on a floor that offers only one. */
  get other(): Language | null {
    return offered.find((each) => each !== current) ?? null;
  },
  /** What a document calls a language. */
  tag(of: Language): string {
    return TAGS[of];
  },
  choose(next: Language): void {
    if (!isOffered(next)) return;
    language.show(next);
    keep(NAME, next);
  },
  /** For now only: nobody has chosen it on this device. One that the floor does not offer is not shown. */
  show(next: Language): void {
    if (!isOffered(next)) return;
    current = next;
    apply();
  },
};
