// The time of day and the time played, which are the floor's and go on from when they were told; and countdowns.
import { floor } from "../../live";

const TICK_MS = 100;

let at = $state(performance.now());

setInterval(() => (at = performance.now()), TICK_MS);

/** The device knows its zone; what time it is, the floor knows better. */
function date(): Date {
  return floor.welcome ? new Date(floor.welcome.now_ms + Math.max(0, at - floor.welcomedAt)) : new Date();
}

export const now = {
  /** `21:04` */
  get clock(): string {
    return date().toTimeString().slice(0, 5);
  },
  get played_ms(): number {
    return floor.purse ? floor.purse.played_ms + Math.max(0, at - floor.pursedAt) : 0;
  },
  /** How long until something that lies ahead on this page's clock, in whole seconds: never more than there are. */
  secondsTo(deadline: number): number {
    return Math.max(0, Math.ceil((deadline - at - TICK_MS) / 1000));
  },
};

/** `0:12`: hours and minutes. */
export function span(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return `${Math.floor(minutes / 60)}:${(minutes % 60).toString().padStart(2, "0")}`;
}

/** What was won or lost since the visit began. */
export function net(): number {
  const purse = floor.purse;
  if (!purse) return 0;
  return purse.credits_cents + purse.staked_cents + purse.withheld_cents - purse.bought_cents + purse.cashed_cents;
}
