// Where the focus goes at a table when what had it is gone, and when something there wants to be answered.

/** Whether what had the focus is gone, unseen, or can do nothing any more. */
export function isLost(): boolean {
  const focused = document.activeElement;
  return (
    !focused ||
    focused === document.body ||
    !focused.checkVisibility({ visibilityProperty: true }) ||
    focused.matches(":disabled")
  );
}

/** Whether a table may take the focus: what is done at another one, or in a dialog, is not disturbed. */
export function isFree(table: string): boolean {
  const at = document.activeElement?.closest<HTMLElement>("dialog, article[data-table]");
  return !at || at.dataset.table === table;
}

/** Whether a card has the focus that is being squeezed: that is not taken out of the hand. */
export function isSqueezing(): boolean {
  return document.activeElement?.matches('.squeezing [role="slider"]') ?? false;
}

/** To the first offer at a table that is in sight; whether there is one. */
export function toOffer(table: string): boolean {
  const buttons = [...(panelOf(table)?.querySelectorAll<HTMLElement>(".offer button") ?? [])];
  const seen = buttons.find((each) => each.checkVisibility({ visibilityProperty: true }));
  seen?.focus({ preventScroll: true });
  return seen !== undefined;
}

/** To the layout of a table, or to the cards that cover it, where the focus is lost. */
export function toLayout(table: string): void {
  if (!isLost()) return;
  const panel = panelOf(table);
  const wanted = ['.squeezing [role="slider"]', '[data-wager="Player"]', "[data-wager]"];
  const found = wanted.map((each) => panel?.querySelector<HTMLElement>(each)).find((each) => each);
  found?.focus({ preventScroll: true });
}

function panelOf(table: string): Element | null {
  return document.querySelector(`article[data-table="${CSS.escape(table)}"]`);
}
