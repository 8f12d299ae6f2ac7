// Where the page is: its address, read and changed without loading anything anew.

let path = $state(location.pathname);

addEventListener("popstate", () => {
  path = location.pathname;
});

export const place = {
  get path(): string {
    return path;
  },
  go(next: string): void {
    history.pushState(null, "", next);
    path = next;
  },
};

/** For links: stay in the page, unless the person asks for a new one. */
export function stays(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  place.go(link.pathname);
}
