// Short words to one person: what was accepted, what was refused, what was paid.

export type Tone = "plain" | "refused" | "won";

export interface Message {
  id: number;
  text: string;
  tone: Tone;
}

const STAYS_MS = 4500;
const MOST = 3;

let next = 0;
let messages = $state.raw<Message[]>([]);

export const toasts = {
  get all(): readonly Message[] {
    return messages;
  },
  show(text: string, tone: Tone = "plain"): void {
    const id = next++;
    messages = [...messages, { id, text, tone }].slice(-MOST);
    setTimeout(() => toasts.dismiss(id), STAYS_MS);
  },
  dismiss(id: number): void {
    messages = messages.filter((message) => message.id !== id);
  },
};
