// State that whatever reads it follows, and effects without a component.

export function reactive<T extends object>(of: T): T {
  const state = $state(of);
  return state;
}

/** Run effects; returns how to end them. */
export function effects(run: () => void): () => void {
  return $effect.root(run);
}
