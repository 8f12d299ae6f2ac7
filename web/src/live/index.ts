export { api } from "./api";
export type { Deadline } from "./clock";
export { isFinal, lineOf, Refusal } from "./errors";
export { floor, type Status, type TableView } from "./floor.svelte";
export { place, stays } from "./place.svelte";
export { prover } from "./prover.svelte";
