// Where the focus goes at a table when what had it is gone, and when something there wants to be answered.

/** Whether what had the focus is gone, unseen, or can do nothing any more. */
export function isLost(): boolean {
  const focused = document.activeElement;
  return !focused || focused === document.body || !focused.checkVisibility() || focused.matches(":disabled");
}

/** Whether a table may take the focus: what is done at another one, or in a dialog, is not disturbed. */
export function isFree(table: string): boolean {
  const at = document.activeElement?.closest<HTMLElement>("dialog, article[data-table]");
  return !at || at.dataset.table === table;
}

/** To the layout of a table, where the focus is lost. */
export function toLayout(table: string): void {
  if (!isLost()) return;
  const panel = document.querySelector(`article[data-table="${CSS.escape(table)}"]`);
  const area = panel?.querySelector<HTMLElement>('[data-wager="Player"]') ?? panel?.querySelector<HTMLElement>("[data-wager]");
  area?.focus({ preventScroll: true });
}
