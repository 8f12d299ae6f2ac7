// Cards as they are seen: a card, one that is squeezed by us, one that is bent by somebody else.
export { default as Bending } from "./Bending.svelte";
export { default as Card } from "./Card.svelte";
export type { Edge } from "./fold";
export { cardName, ELEMENT_RANKS, ELEMENT_SUITS, parseCard, STANDARD_RANKS, STANDARD_SUITS } from "./notation";
export { default as Squeeze } from "./Squeeze.svelte";
