// One table as it is played from this terminal: what is wanted, what the floor has, and what lies between.
import { money } from "../../lib/money";
import { sound } from "../../lib/sound.svelte";
import { toasts } from "../../lib/toasts.svelte";
import { language, say } from "../../lib/words";
import { floor, lineOf, Refusal, type TableView } from "../../live";
import type { Do, TableInfo, WagerInfo } from "../../wire";

export type Stakes = Record<string, number>;

const FAULT_STAYS_MS = 5_000;
/** While wagers lie on the table. */
const PLAYING = new Set(["bets-open", "bets-closed", "initial-deal", "drawing", "outcome"]);
const BETWEEN = new Set(["idle", "settled", "void", "change-of-shoe", "closed"]);

export class Play {
  /** Totals that were asked for and not yet answered, by wager. */
  #wanted = $state<Stakes>({});
  /** Why the last stake on a wager was refused, for a while. */
  faults = $state<Record<string, string>>({});
  /** What lay on the table when bets were last closed. */
  last = $state.raw<Stakes>({});
  #history = $state.raw<Stakes[]>([]);
  #flying = new Set<string>();

  readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  get view(): TableView | undefined {
    return floor.tables[this.table];
  }

  get info(): TableInfo | null {
    return this.view?.state.info ?? null;
  }

  get phase(): string {
    return this.view?.state.phase ?? "closed";
  }

  get open(): boolean {
    return this.phase === "bets-open";
  }

  get playing(): boolean {
    return PLAYING.has(this.phase);
  }

  get between(): boolean {
    return BETWEEN.has(this.phase);
  }

  get title(): string {
    return this.info?.title[language.current] ?? "";
  }

  wager(name: string): WagerInfo | undefined {
    return this.info?.wagers.find((each) => each.name === name);
  }

  label(name: string): string {
    return this.wager(name)?.label[language.current] ?? name;
  }

  /** What the floor has of one's own, by wager. */
  confirmed = $derived.by((): Stakes => {
    const stakes: Stakes = {};
    for (const { wager, cents } of this.view?.own?.wagers ?? []) stakes[wager] = (stakes[wager] ?? 0) + cents;
    return stakes;
  });

  /** What lies on a wager once everything asked for is accepted. */
  stake(name: string): number {
    return this.#wanted[name] ?? this.confirmed[name] ?? 0;
  }

  isPending(name: string): boolean {
    return name in this.#wanted && this.#wanted[name] !== (this.confirmed[name] ?? 0);
  }

  stakes = $derived.by((): Stakes => {
    const stakes: Stakes = {};
    for (const name of new Set([...Object.keys(this.confirmed), ...Object.keys(this.#wanted)])) {
      const cents = this.stake(name);
      if (cents) stakes[name] = cents;
    }
    return stakes;
  });

  total = $derived(Object.values(this.stakes).reduce((sum, cents) => sum + cents, 0));

  get canUndo(): boolean {
    return this.open && this.#history.length > 0;
  }

  get canRebet(): boolean {
    return this.open && Object.keys(this.last).length > 0 && !Object.keys(this.stakes).length;
  }

  /** A new round has begun: what was undone or refused belongs to the last one. */
  begin(): void {
    this.#history = [];
    this.faults = {};
  }

  /** Bets are closed: what lies there can be placed again. */
  close(): void {
    if (Object.keys(this.confirmed).length) this.last = { ...this.confirmed };
  }

  /** Add chips to a wager; so much as its limit allows. */
  add(name: string, cents: number): void {
    const wager = this.wager(name);
    if (!wager) return;
    if (!this.open) {
      this.#refuse(name, say("terminal.not-open"));
      return;
    }
    const now = this.stake(name);
    const next = Math.min(now + cents, wager.max_cents);
    if (next === now) this.#refuse(name, say("terminal.over", { limit: money(wager.max_cents) }));
    else if (next < wager.min_cents) this.#refuse(name, say("terminal.under", { limit: money(wager.min_cents) }));
    else this.#make({ [name]: next });
  }

  /** Take chips off; below the least wager it is all of them. */
  reduce(name: string, cents: number): void {
    const wager = this.wager(name);
    const now = this.stake(name);
    if (!wager || !this.open || !now) return;
    const next = now - cents;
    this.#make({ [name]: next < wager.min_cents ? 0 : next });
  }

  undo(): void {
    const before = this.#history.at(-1);
    if (!before || !this.open) return;
    this.#history = this.#history.slice(0, -1);
    for (const [name, cents] of Object.entries(before)) this.#want(name, cents);
    sound.play("chip");
  }

  clear(): void {
    if (this.open && this.total) this.#make(Object.fromEntries(Object.keys(this.stakes).map((name) => [name, 0])));
  }

  rebet(): void {
    if (this.canRebet) this.#make(this.last);
  }

  double(): void {
    if (!this.open || !this.total) return;
    const doubled = Object.entries(this.stakes).map(([name, cents]) => [name, Math.min(2 * cents, this.wager(name)?.max_cents ?? cents)]);
    this.#make(Object.fromEntries(doubled) as Stakes);
  }

  /** Give a command of the patron's; what is refused is said. */
  async act(act: Do["act"]): Promise<boolean> {
    try {
      await floor.act(this.table, act);
      return true;
    } catch (error) {
      toasts.show(lineOf(error), "refused");
      return false;
    }
  }

  #make(next: Stakes): void {
    const before = Object.fromEntries(Object.keys(next).map((name) => [name, this.stake(name)]));
    this.#history = [...this.#history, before];
    for (const [name, cents] of Object.entries(next)) this.#want(name, cents);
    sound.play("chip");
  }

  #want(name: string, cents: number): void {
    delete this.faults[name];
    this.#wanted[name] = cents;
    void this.#send(name);
  }

  /** One message per wager is under way; what is tapped meanwhile goes out as one with the next. */
  async #send(name: string): Promise<void> {
    if (this.#flying.has(name)) return;
    this.#flying.add(name);
    try {
      while (this.isPending(name)) {
        const cents = this.#wanted[name] ?? 0;
        await floor.stake(this.table, name, cents);
        if (this.#wanted[name] === cents) break;
      }
    } catch (error) {
      // What the floor has is what counts; where that is what was wanted, there is nothing to say.
      if (this.isPending(name)) {
        this.#forget(name);
        this.#refuse(name, refusalLine(error));
      }
    } finally {
      delete this.#wanted[name];
      this.#flying.delete(name);
    }
  }

  /** What was refused cannot be undone. */
  #forget(name: string): void {
    const at = this.#history.findLastIndex((before) => name in before);
    const kept = Object.entries(this.#history[at] ?? {}).filter(([each]) => each !== name);
    this.#history = this.#history.toSpliced(at, at < 0 ? 0 : 1, ...(kept.length ? [Object.fromEntries(kept)] : []));
  }

  #refuse(name: string, line: string): void {
    this.faults[name] = line;
    toasts.show(`${this.label(name)}: ${line}`, "refused");
    setTimeout(() => {
      if (this.faults[name] === line) delete this.faults[name];
    }, FAULT_STAYS_MS);
  }
}

function refusalLine(error: unknown): string {
  return error instanceof Refusal && error.code === "unaffordable" ? say("terminal.short") : lineOf(error);
}
