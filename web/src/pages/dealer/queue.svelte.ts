import { cardName } from "../../lib/cards";
import { say } from "../../lib/words";
import type { Deed } from "../pit/decisions";

// Cards that follow a refused one sooner than this were read before anybody could see that.
const UNSEEN_MS = 800;

/** Enters a card; what is said against it, where it is not taken. */
type Enter = (card: string) => Promise<string | undefined>;

/** Cards that were read: each waits for the answer to what went before it, and none comes to the wrong hand. */
export class CardQueue {
  cards = $state<string[]>([]);
  #entering = false;
  /** Cards that were not entered, why, and until when what is read still belongs to them. */
  #dropped: string[] = [];
  #why = "";
  #until = 0;

  constructor(
    readonly deed: Deed,
    readonly enter: Enter,
  ) {}

  get waits(): boolean {
    return this.deed.busy || this.cards.length > 0;
  }

  add(card: string): void {
    this.cards.push(card);
    if (performance.now() < this.#until) this.drop("");
    else void this.goOn();
  }

  /** Enter the cards that wait, one after the other; the table may be at another step than when they were read. */
  async goOn(): Promise<void> {
    if (this.#entering || this.deed.busy) return;
    this.#entering = true;
    while (this.cards.length) {
      const why = await this.enter(this.cards[0]!);
      if (why === undefined) this.cards.shift();
      else this.drop(why);
    }
    this.#entering = false;
  }

  /** What follows a card that was refused would come to the wrong hand: say what was not entered, and enter no more of it. */
  drop(why: string): void {
    if (!this.cards.length) return;
    if (performance.now() >= this.#until) [this.#dropped, this.#why] = [[], why];
    this.#dropped.push(...this.cards);
    this.cards = [];
    this.#until = performance.now() + UNSEEN_MS;
    const cards = say("dealer.not-entered", { cards: this.#dropped.map(cardName).join(say("dealer.comma")) });
    this.deed.refusal = [this.#why, cards].filter(Boolean).join(say("dealer.stop"));
  }

  /** A key of a card was heard: it may still belong to what was dropped; if not, what was said of that is over. */
  typing(): void {
    if (performance.now() < this.#until) this.#until = performance.now() + UNSEEN_MS;
    else this.deed.refusal = "";
  }
}
