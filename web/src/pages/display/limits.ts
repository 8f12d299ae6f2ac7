// The limits of a table as a sign on the wall gives them: wagers with the same limits together.
import type { Text, WagerInfo } from "../../wire";

export interface Sign {
  min_cents: number;
  max_cents: number;
  wagers: Text[];
}

export function signs(wagers: WagerInfo[]): Sign[] {
  const found = new Map<string, Sign>();
  for (const { label, min_cents, max_cents } of wagers) {
    const key = `${min_cents} ${max_cents}`;
    const sign = found.get(key) ?? { min_cents, max_cents, wagers: [] };
    sign.wagers.push(label);
    found.set(key, sign);
  }
  return [...found.values()];
}
