import { lineOf } from "../../live";
import { detailOf } from "./detail";

/** Something asked of the floor by HTTP from one place on the page: whether it is under way, and what was said against it. */
export class Errand {
  busy = $state(false);
  refusal = $state("");
  detail = $state("");
  /** Apart from what is shown: whoever runs an errand must not run it again because it is over. */
  #running = false;

  /** Run it, once; whether it was done. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    if (this.#running) return false;
    this.#running = this.busy = true;
    this.refusal = this.detail = "";
    try {
      await work();
      return true;
    } catch (error) {
      this.refusal = lineOf(error);
      this.detail = detailOf(error);
      return false;
    } finally {
      this.#running = this.busy = false;
    }
  }
}
