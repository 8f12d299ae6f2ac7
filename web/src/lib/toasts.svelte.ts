// Short words to one person: what was accepted, what was refused, what was paid. One at a time: the last is what counts.

export type Tone = "plain" | "refused" | "won";

/** Words as they are, or how to word it: that is said anew when the language is changed meanwhile. */
export type Wording = string | (() => string);

export interface Message {
  id: number;
  words: Wording;
  tone: Tone;
}

const STAYS_MS = 4500;

let next = 0;
let shown = $state.raw<Message | null>(null);

export const toasts = {
  get shown(): Message | null {
    return shown;
  },
  get text(): string {
    if (!shown) return "";
    return typeof shown.words === "string" ? shown.words : shown.words();
  },
  show(words: Wording, tone: Tone = "plain"): void {
    const id = next++;
    shown = { id, words, tone };
    setTimeout(() => toasts.dismiss(id), STAYS_MS);
  },
  dismiss(id: number): void {
    if (shown?.id === id) shown = null;
  },
};
