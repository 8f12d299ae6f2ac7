// What a person chooses at this terminal; kept on the device.
import { keep, kept } from "../../lib/kept";

export const INTERVALS = [0, 15, 30, 60] as const;

function interval(): number {
  const value = Number(kept("reminder") ?? 60);
  return (INTERVALS as readonly number[]).includes(value) ? value : 60;
}

let chip = $state(Number(kept("chip") ?? 0));
let reminder = $state(interval());
let keys = $state(kept("keys") !== "off");

export const choices = {
  /** The chip taken up, in whole units; 0 until one is. */
  get chip(): number {
    return chip;
  },
  set chip(value: number) {
    chip = value;
    keep("chip", String(value));
  },
  /** Minutes between two reminders; 0 is none. */
  get reminder(): number {
    return reminder;
  },
  set reminder(minutes: number) {
    reminder = minutes;
    keep("reminder", String(minutes));
  },
  /** Whether single letters act. */
  get keys(): boolean {
    return keys;
  },
  set keys(on: boolean) {
    keys = on;
    keep("keys", on ? "on" : "off");
  },
};
