// What is spoken of one's own affairs: accepted, refused, lost. What comes quickly one after the other is spoken as one.
import { language, say } from "../../lib/words";

const GATHERS_MS = 600;

let text = $state("");
let spokenIn = $state(language.current);
let count = $state(0);
let timer: ReturnType<typeof setTimeout> | undefined;
// Words are chosen when they are spoken: the language may change in between.
const waiting = new Map<string, () => string>();

function speak(): void {
  // What is no longer so by now has no words.
  const spoken = [...waiting.values()].map((words) => words()).filter(Boolean);
  waiting.clear();
  if (!spoken.length) return;
  text = spoken.join(say("terminal.comma"));
  spokenIn = language.current;
  count += 1;
}

export const voice = {
  /** Several tables are played: each is named. */
  several: false,
  /** Nothing once the language was changed: what was said was said in the other. */
  get text(): string {
    return spokenIn === language.current ? text : "";
  },
  get count(): number {
    return count;
  },
  /** Say it in a moment; a later word on the same topic of a table takes its place. */
  say(table: string, topic: string, words: () => string): void {
    const named = (): string => {
      const said = words();
      return said && say("terminal.about", { what: say("terminal.table", { table }), said });
    };
    waiting.set(`${table} ${topic}`, voice.several ? named : words);
    clearTimeout(timer);
    timer = setTimeout(speak, GATHERS_MS);
  },
};
