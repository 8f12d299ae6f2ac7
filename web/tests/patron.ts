// A patron's table without a connection: what is staked waits until the test has the floor accept or refuse it.
import { vi } from "vitest";
import { floor, Refusal } from "../src/live";
import type { OwnState, Purse, TableState } from "../src/wire";
import { own, purse, table } from "./states";

interface Asked {
  wager: string;
  cents: number;
  resolve: () => void;
  reject: (refusal: Refusal) => void;
}

export class Patron {
  /** Stakes that have no answer yet, oldest first. */
  readonly waiting: Asked[] = [];
  /** Every stake that was asked for. */
  readonly asked: [wager: string, cents: number][] = [];

  constructor(
    readonly table: string,
    state: Partial<TableState> = {},
    credits: Partial<Purse> = {},
  ) {
    floor.tables = { [table]: { state: { ...tableOf(state) }, own: own(), staff: null, clock: null } };
    floor.purse = purse(credits);
    vi.spyOn(floor, "stake").mockImplementation((_, wager, cents) => {
      this.asked.push([wager, cents]);
      return new Promise((resolve, reject) => {
        this.waiting.push({ wager, cents, resolve: () => resolve({ version: 1 }), reject });
      });
    });
  }

  set(state: Partial<TableState>): void {
    Object.assign(floor.tables[this.table]!.state, state);
  }

  own(said: Partial<OwnState>): void {
    floor.tables[this.table]!.own = { ...floor.tables[this.table]!.own!, ...said };
  }

  /** What the floor has. */
  has(stakes: Record<string, number>): void {
    this.own({
      wagers: Object.entries(stakes).flatMap(([wager, cents], at) => (cents ? [{ number: at + 1, wager, cents }] : [])),
    });
  }

  get confirmed(): Record<string, number> {
    return Object.fromEntries(floor.tables[this.table]!.own!.wagers.map(({ wager, cents }) => [wager, cents]));
  }

  /** The floor accepts the oldest stake: first it tells what is one's own, then it answers. */
  async accept(): Promise<void> {
    const asked = this.waiting.shift();
    if (!asked) return;
    this.has({ ...this.confirmed, [asked.wager]: asked.cents });
    asked.resolve();
    await moment();
  }

  async acceptAll(): Promise<void> {
    while (this.waiting.length) await this.accept();
  }

  async refuse(code: string, message = ""): Promise<void> {
    this.waiting.shift()?.reject(new Refusal(code, message));
    await moment();
  }
}

const tableOf = (state: Partial<TableState>): TableState => table(state);

/** Let promises come about that wait for one another. */
export async function moment(): Promise<void> {
  for (let at = 0; at < 10; at += 1) await Promise.resolve();
}
