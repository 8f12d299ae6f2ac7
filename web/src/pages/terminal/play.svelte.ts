// One table as it is played from this terminal: what is wanted, what the floor has, and what lies between.
import { money } from "../../lib/money";
import { sound } from "../../lib/sound.svelte";
import { toasts } from "../../lib/toasts.svelte";
import { language, say } from "../../lib/words";
import { floor, lineOf, Refusal, type TableView } from "../../live";
import type { Do, Side, TableInfo, WagerInfo } from "../../wire";
import { visit, type Staked } from "./visit";
import { voice } from "./voice.svelte";

export type Stakes = Record<string, number>;

const FAULT_STAYS_MS = 5_000;
/** While wagers lie on the table. */
const PLAYING = new Set(["bets-open", "bets-closed", "initial-deal", "drawing", "outcome"]);
const BETWEEN = new Set(["idle", "settled", "void", "change-of-shoe", "closed"]);

export class Play {
  /** Totals that were asked for and not yet answered, by wager. */
  #wanted = $state<Stakes>({});
  #faults = $state<Record<string, () => string>>({});
  /** Why the last stake on a wager was refused, for a while. */
  faults = $derived(Object.fromEntries(Object.entries(this.#faults).map(([name, words]) => [name, words()])));
  #last = $state.raw<Staked | null>(null);
  #history = $state.raw<Stakes[]>([]);
  #flying = new Set<string>();
  /** What this page knew the floor to have, and the totals that it has asked for since, by wager. */
  #known: Stakes = {};
  #asked: Record<string, number[]> = {};
  /** Which steps of the history the floor has accepted, by wager. */
  #accepted: Record<string, WeakSet<Stakes>> = {};

  readonly table: string;

  constructor(table: string) {
    this.table = table;
    this.#last = visit.staked(table);
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

  /** Whether wagers are taken here: bets are open, this terminal works, and the floor can write them down. */
  get open(): boolean {
    return this.phase === "bets-open" && !this.down && !this.held && !floor.purse?.stopped;
  }

  /** The floor waits for its record, or this table's is being checked: nothing is taken meanwhile. */
  get held(): boolean {
    const what = this.view?.state.wait?.what;
    return what === "store" || what === "record";
  }

  /** This table's record is being checked, or the table is run elsewhere: whatever is asked here would be refused. */
  get stopped(): boolean {
    const what = this.view?.state.wait?.what;
    return what === "record" || what === "elsewhere";
  }

  /** The hands that are offered at this seat. */
  get offered(): Side[] {
    return this.stopped ? [] : (this.view?.own?.offered ?? []);
  }

  /** What waits here until the record was checked; none while nothing does, "unknown" where nobody knows. */
  get waiting(): number | "unknown" | null {
    const cents = floor.purse?.waiting[this.table];
    return cents === null ? "unknown" : (cents ?? null);
  }

  /** The terminal at this seat has failed: it places and withdraws nothing until it is back. */
  get down(): boolean {
    return this.view?.own?.down ?? false;
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

  /** What lay on the table when bets were last closed, on the game that is played now. */
  get last(): Stakes {
    return this.#last && this.#last.game === this.info?.game ? this.#last.stakes : {};
  }

  /** What a paid round took, where nothing was won: nothing, while it is not paid. */
  get loss(): string {
    const paid = (this.view?.state.outcome && this.view.own?.payments) || [];
    const sum = (of: "stake_cents" | "won_cents" | "paid_cents"): number =>
      paid.reduce((cents, each) => cents + each[of], 0);
    if (!paid.length || sum("won_cents") > 0) return "";
    const [back, lost] = [sum("paid_cents"), sum("stake_cents") - sum("paid_cents")];
    const words = [
      ...(lost ? [say("terminal.you-lost", { amount: money(lost) })] : []),
      ...(back ? [say("terminal.back", { amount: money(back) })] : []),
    ];
    return words.join(say("terminal.comma"));
  }

  get canUndo(): boolean {
    return this.open && this.#history.length > 0;
  }

  get canRebet(): boolean {
    return this.open && Object.keys(this.last).length > 0 && !Object.keys(this.stakes).length;
  }

  /** A new round has begun: what was undone or refused belongs to the last one. */
  begin(): void {
    this.#history = [];
    this.#asked = {};
    this.#faults = {};
  }

  /** The floor has other stakes than it had. Where this page did not ask for them, what it did before cannot be undone. */
  compare(): void {
    const [known, confirmed] = [this.#known, this.confirmed];
    this.#known = { ...confirmed };
    for (const name of new Set([...Object.keys(known), ...Object.keys(confirmed)])) {
      const cents = confirmed[name] ?? 0;
      if (cents === (known[name] ?? 0)) continue;
      const asked = this.#asked[name] ?? [];
      const at = asked.lastIndexOf(cents);
      if (at < 0) this.#history = [];
      this.#asked[name] = asked.slice(Math.max(0, at));
    }
  }

  /** Bets are closed: what lies there can be placed again. */
  close(): void {
    if (!this.info || !Object.keys(this.confirmed).length) return;
    this.#last = { game: this.info.game, stakes: { ...this.confirmed } };
    visit.stake(this.table, this.#last);
  }

  /** Add chips to a wager; so much as its limit allows. */
  add(name: string, cents: number): void {
    const wager = this.wager(name);
    if (!wager) return;
    if (!this.open) {
      this.#refuseShut(name);
      return;
    }
    const now = this.stake(name);
    const next = Math.min(now + cents, wager.max_cents);
    if (next === now) this.#refuse(name, () => say("terminal.over", { limit: money(wager.max_cents) }));
    else if (next < wager.min_cents) this.#refuse(name, () => say("terminal.under", { limit: money(wager.min_cents) }));
    else this.#make({ [name]: next });
  }

  /** Take chips off; below the least wager it is all of them. */
  reduce(name: string, cents: number): void {
    const wager = this.wager(name);
    const now = this.stake(name);
    if (!wager || !now) return;
    if (!this.open) {
      this.#refuseShut(name);
      return;
    }
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
    if (this.canRebet) this.#makeWhole("rebet", this.last);
  }

  double(): void {
    if (!this.open || !this.total) return;
    this.#makeWhole(
      "double",
      Object.fromEntries(Object.entries(this.stakes).map(([name, cents]) => [name, 2 * cents])),
    );
  }

  /** Give a command of the patron's; what is refused is said. */
  async act(act: Do["act"]): Promise<boolean> {
    try {
      await floor.act(this.table, act);
      return true;
    } catch (error) {
      toasts.show(() => lineOf(error), "refused");
      return false;
    }
  }

  /** All of it, or nothing and one line that says why. */
  #makeWhole(act: "rebet" | "double", next: Stakes): void {
    const fault = this.#obstacle(next);
    if (fault) toasts.show(() => say("terminal.about", { what: say(`terminal.${act}`), said: fault() }), "refused");
    else this.#make(next);
  }

  /** Why not all of these stakes can be made: a limit, or what credits cover beside everything that is under way. */
  #obstacle(next: Stakes): (() => string) | null {
    for (const [name, cents] of Object.entries(next)) {
      const { min_cents = 0, max_cents = 0 } = this.wager(name) ?? {};
      if (cents > max_cents) return () => say("terminal.over-on", { wager: this.label(name), limit: money(max_cents) });
      if (cents < min_cents)
        return () => say("terminal.under-on", { wager: this.label(name), limit: money(min_cents) });
    }
    const sum = (of: Stakes, less: (name: string) => number): number =>
      Object.entries(of).reduce((total, [name, cents]) => total + cents - less(name), 0);
    const more = sum(next, (name) => this.stake(name)) + sum(this.#wanted, (name) => this.confirmed[name] ?? 0);
    return more > (floor.purse?.credits_cents ?? Infinity) ? () => say("terminal.short") : null;
  }

  #make(next: Stakes): void {
    const before = Object.fromEntries(Object.keys(next).map((name) => [name, this.stake(name)]));
    this.#history = [...this.#history, before];
    for (const [name, cents] of Object.entries(next)) this.#want(name, cents);
    sound.play("chip");
  }

  #want(name: string, cents: number): void {
    delete this.#faults[name];
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
        this.#asked[name] = [...(this.#asked[name] ?? []), cents];
        const steps = this.#history;
        await floor.stake(this.table, name, cents);
        this.#keep(name, steps);
        if (this.#wanted[name] === cents) {
          this.#sayAccepted(name, cents);
          break;
        }
      }
      this.#keep(name, this.#history);
    } catch (error) {
      // What the floor has is what counts; where that is what was wanted, there is nothing to say.
      this.#forget(name);
      if (this.isPending(name)) this.#refuse(name, () => refusalLine(error));
    } finally {
      delete this.#wanted[name];
      this.#flying.delete(name);
    }
  }

  /** These steps the floor has accepted. */
  #keep(name: string, steps: Stakes[]): void {
    const accepted = (this.#accepted[name] ??= new WeakSet());
    for (const step of steps) accepted.add(step);
  }

  /** What was refused cannot be undone, nor what was tapped on top of it. */
  #forget(name: string): void {
    for (const step of this.#history) if (!this.#accepted[name]?.has(step)) delete step[name];
    this.#history = this.#history.filter((step) => Object.keys(step).length);
  }

  #sayAccepted(name: string, cents: number): void {
    voice.say(this.table, name, () =>
      cents
        ? say("terminal.accepted", { wager: this.label(name), amount: money(cents) })
        : say("terminal.taken-back", { wager: this.label(name) }),
    );
  }

  #refuseShut(name: string): void {
    const late = this.playing;
    const why = this.down ? "terminal.down" : late ? "terminal.too-late" : "terminal.not-open";
    this.#refuse(name, () => say(why));
  }

  /** The area says why, and so does the voice. */
  #refuse(name: string, words: () => string): void {
    this.#faults[name] = words;
    voice.say(this.table, `${name} refused`, () => say("terminal.about", { what: this.label(name), said: words() }));
    setTimeout(() => {
      if (this.#faults[name] === words) delete this.#faults[name];
    }, FAULT_STAYS_MS);
  }
}

/** What a refused stake means: of a stake, out of turn is that bets are not open. */
function refusalLine(error: unknown): string {
  const code = error instanceof Refusal ? error.code : "";
  if (code === "unaffordable") return say("terminal.short");
  return code === "out-of-turn" ? say("terminal.not-now") : lineOf(error);
}
