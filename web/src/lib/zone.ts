// The floor's time of day: one zone on all its pages, in the texts of its events and in `punto events`.
import { language } from "./words";

/** As `punto.games.zone` has it, which knows no summer time. */
const ZONE = "Asia/Singapore";
const OFFSET = "+08:00";
const OFFSET_MINUTES = 480;

const tag = (): string => (language.current === "zh" ? "zh-CN" : "en-SG");

/** A moment by the floor's clock, of 24 hours. */
export const floorTime = (at_ms: number, how: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(tag(), { hourCycle: "h23", ...how, timeZone: ZONE }).format(at_ms);

/** The name of the floor's zone where this device shows another time at that moment, else nothing. */
export function foreignZone(at_ms: number = Date.now()): string {
  if (new Date(at_ms).getTimezoneOffset() === -OFFSET_MINUTES) return "";
  const parts = new Intl.DateTimeFormat(tag(), { timeZone: ZONE, timeZoneName: "shortGeneric" }).formatToParts(at_ms);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** The same with that name behind it: `17 Nov, 21:04 SGT`. */
export const zonedTime = (at_ms: number, how: Intl.DateTimeFormatOptions): string =>
  [floorTime(at_ms, how), foreignZone(at_ms)].filter(Boolean).join(" ");

/** The moment that somebody means who types a time into a form of the floor's. */
export const typedTime = (local: string): number => new Date(`${local}${OFFSET}`).getTime();
