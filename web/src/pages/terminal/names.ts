/** What can be opened over the table. */
export type DialogName = "menu" | "credits" | "rules" | "recall" | "fair" | "settings" | "help" | "tables";
