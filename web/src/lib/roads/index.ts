// The roads, as the server lays them out.
export { default as AskRoad } from "./AskRoad.svelte";
export { default as BeadPlate } from "./BeadPlate.svelte";
export { default as BigRoad } from "./BigRoad.svelte";
export { default as DerivedRoad } from "./DerivedRoad.svelte";
export type { Derived } from "./marks";
