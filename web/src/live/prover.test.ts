import { expect, test } from "vitest";
import { Refusal } from "./errors";
import { PROVE_AGAIN, prover } from "./prover.svelte";

const refusal = new Refusal(PROVE_AGAIN, "show who you are");

test("whoever waits goes on once it was shown, and all of them at once", async () => {
  const waiting = [prover.need(refusal), prover.need(refusal)];
  expect(prover.asked).toBe(true);
  prover.shown();
  await expect(Promise.all(waiting)).resolves.toEqual([undefined, undefined]);
  expect(prover.asked).toBe(false);
});

test("whoever would rather not is refused with the refusal that asked for it", async () => {
  const waiting = prover.need(refusal);
  prover.givenUp();
  await expect(waiting).rejects.toBe(refusal);
  expect(prover.asked).toBe(false);
  // What came too late changes nothing.
  prover.shown();
});
