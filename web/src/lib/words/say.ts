import { common as en } from "./en";
import type { Key, Words } from "./keys";
import { language, type Language } from "./language.svelte";
import { common as zh } from "./zh";

/** The names in braces in a text, so that a forgotten placeholder does not compile. */
type Places<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;

export type Params<K extends Key> = Record<Places<Words[K]>, string | number>;

const CATALOGUES: Record<Language, Record<string, string>> = { en: { ...en }, zh: { ...zh } };

/** Have a page's own words said; those of a key that lacks its Chinese do not compile. */
export function learn<English extends Record<string, string>>(words: {
  en: English;
  zh: Record<keyof English, string>;
}): void {
  Object.assign(CATALOGUES.en, words.en);
  Object.assign(CATALOGUES.zh, words.zh);
}

/** The words of a key in the page's language, with its placeholders filled. */
export function say<K extends Key>(key: K, ...filled: Places<Words[K]> extends never ? [] : [Params<K>]): string {
  const params: Record<string, string | number> = filled[0] ?? {};
  const words = CATALOGUES[language.current][key] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, place: string) => String(params[place] ?? ""));
}
