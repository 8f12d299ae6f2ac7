// Chips and stacks of them.
export { default as Chip } from "./Chip.svelte";
export { chipsFor, DENOMINATIONS, type Denomination } from "./denominations";
export { default as Stack } from "./Stack.svelte";
