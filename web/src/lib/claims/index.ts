// Claims as patrons and staff see them.
import "./words";
import { say } from "../words";
import { zonedTime } from "../zone";
import type { ClaimAbout, ClaimOutcome } from "../../wire";

/** The longest text of a claim and of an answer. */
export const LONGEST = 500;
export const ABOUT = ["payment", "stake", "cards", "other"] as const satisfies ClaimAbout[];

export const aboutOf = (about: ClaimAbout): string => say(`claim.about.${about}`);

/** How a claim stands; an open one whose time is over is overdue. */
export const outcomeOf = (outcome: ClaimOutcome, overdue = false): string =>
  say(outcome === "open" && overdue ? "claim.overdue" : `claim.${outcome}`);

/** A moment of the record, as short as it is clear: `17 Nov, 21:04`. */
export const moment = (at_ms: number): string =>
  zonedTime(at_ms, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" });
