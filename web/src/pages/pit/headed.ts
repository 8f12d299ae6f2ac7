/** Tells each cell of a table the heading of its column, and whether it is blank: where rows are stacks it has to say so itself. */
export function headed(node: HTMLElement): () => void {
  function tell(): void {
    for (const table of node.querySelectorAll("table")) {
      const headings = Array.from(table.querySelectorAll("thead th"), (each) =>
        each.querySelector(".unseen") ? "" : each.textContent.trim(),
      );
      for (const cell of table.querySelectorAll("td")) {
        const heading = cell.colSpan > 1 ? "" : (headings[cell.cellIndex] ?? "");
        if (cell.dataset.heading !== heading) cell.dataset.heading = heading;
        cell.toggleAttribute("data-blank", !cell.textContent.trim() && !cell.querySelector("input, img, svg"));
      }
    }
  }
  tell();
  const changes = new MutationObserver(tell);
  changes.observe(node, { childList: true, subtree: true, characterData: true });
  return () => changes.disconnect();
}
