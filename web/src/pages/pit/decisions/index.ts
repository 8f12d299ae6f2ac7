import "./words";
// What somebody must decide at a table, and the forms to decide it with; the dealer's console and the pit's share them.
export { default as CardEntry } from "./CardEntry.svelte";
export { default as CardKeypad } from "./CardKeypad.svelte";
export { default as CardLine } from "./CardLine.svelte";
export { Deed } from "./deed.svelte";
export { default as Decision } from "./Decision.svelte";
export { holds } from "./ranks";
export { CardReader, UNSEEN } from "./reader.svelte";
export { default as Refused } from "./Refused.svelte";
export { foundName, positionName, remedyName, seenCards, text, wagerLabel } from "./wording";
