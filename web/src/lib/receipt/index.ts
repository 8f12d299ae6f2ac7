// Receipts in a page: read, checked, and said in words.
export { BadReceipt } from "./bytes";
export { keysOf, readCheckpoint, readConsistency, standing, type Checkpoint, type Standing } from "./checkpoint";
export { checkReceipt, codeOf, isReceipt, readReceipt, type Claim, type Receipt } from "./receipt";
