/** Messages that can wait, at no more than the floor takes: it refuses a page that sends over 60 in one second. */

/** So many in a second leave room for wagers, which never wait. */
const MOST = 40;
const SECOND_MS = 1_000;

export class Pace<Message> {
  #send: (message: Message) => void;
  #waiting: Message[] = [];
  #sentAt: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (message: Message) => void) {
    this.#send = send;
  }

  /** Send a message after those that wait already. */
  put(message: Message): void {
    this.#waiting.push(message);
    this.#next();
  }

  /** Forget what waits: the connection that it was meant for is gone. */
  clear(): void {
    this.#waiting = [];
    this.#sentAt = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    if (this.#timer !== undefined) return;
    const now = performance.now();
    this.#sentAt = this.#sentAt.filter((at) => now - at < SECOND_MS);
    while (this.#waiting.length && this.#sentAt.length < MOST) {
      this.#sentAt.push(now);
      this.#send(this.#waiting.shift()!);
    }
    if (!this.#waiting.length) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#next();
      },
      Math.max(1, SECOND_MS - (now - this.#sentAt[0]!)),
    );
  }
}
