import { keep, kept } from "../kept";

export type Language = "en" | "zh";

const NAME = "language";
const TAGS: Record<Language, string> = { en: "en", zh: "zh-Hans" };

function first(): Language {
  const value = kept(NAME);
  if (value === "en" || value === "zh") return value;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
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
  choose(next: Language): void {
    language.show(next);
    keep(NAME, next);
  },
  /** For now only: nobody has chosen it on this device. */
  show(next: Language): void {
    current = next;
    apply();
  },
};
