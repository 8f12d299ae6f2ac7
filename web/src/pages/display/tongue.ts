// The language of a wall, which nobody touches: ?lang=en, ?lang=zh, or ?lang=both in turns.
import { language } from "../../lib/words";

const TURN_MS = 10_000;

/** Speak as the address asks; returns how to stop. */
export function speakAsAsked(): (() => void) | undefined {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked === "en" || asked === "zh") language.show(asked);
  if (asked !== "both") return undefined;
  const turns = setInterval(() => language.show(language.other ?? language.current), TURN_MS);
  return () => clearInterval(turns);
}
