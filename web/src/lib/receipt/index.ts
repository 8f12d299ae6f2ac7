// Receipts in a page: read, checked, and said in words.
export { BadReceipt } from "./bytes";
export { readCheckpoint, readConsistency, standing, type Checkpoint, type Standing } from "./checkpoint";
export { judge, keysIn, type Judgement } from "./judging";
export { checkReceipt, codeOf, isReceipt, readReceipt, type Claim, type Receipt } from "./receipt";
