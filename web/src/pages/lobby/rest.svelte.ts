// A table rests when nobody sits there and nothing has moved for a while: its last round is no news any more.

const STILL = new Set(["idle", "settled", "void", "change-of-shoe"]);
const RESTS_MS = 60_000;

/** Whether a table rests; one that stands still when it is first seen has rested before. No phase is not yet seen. */
export function rest(phase: () => string, patrons: () => number): { readonly rests: boolean } {
  const known = $derived(phase() !== "");
  const still = $derived(!patrons() && STILL.has(phase()));
  let rests = $state(false);
  let seen = false;
  $effect(() => {
    if (!known) return;
    rests = still && !seen;
    seen = true;
    if (!still) return;
    const timer = setTimeout(() => (rests = true), RESTS_MS);
    return () => clearTimeout(timer);
  });
  return {
    get rests() {
      return rests && still;
    },
  };
}
