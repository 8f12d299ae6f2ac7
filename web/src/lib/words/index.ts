// What the pages say: two catalogues with the same keys, switched on the spot.
export type { Key } from "./keys";
export { language, type Language } from "./language.svelte";
export { learn, say, type Params } from "./say";
