/** The sheet that lies over the console; none where it is empty. */
export type Sheet = "" | "wager" | "chips" | "method" | "hands" | "shoe" | "cutting" | "irregularity";
