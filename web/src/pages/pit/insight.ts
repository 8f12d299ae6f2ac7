/** Keeps the link to where one is in the middle of a row of links that may be longer than the screen. */
export function insight(row: HTMLElement): () => void {
  function look(): void {
    const here = row.querySelector<HTMLElement>("[aria-current]");
    if (here) row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
  }
  const sizes = new ResizeObserver(look);
  for (const each of [row, ...row.children]) sizes.observe(each);
  const moves = new MutationObserver(look);
  moves.observe(row, { attributes: true, attributeFilter: ["aria-current"], subtree: true });
  return () => {
    sizes.disconnect();
    moves.disconnect();
  };
}
