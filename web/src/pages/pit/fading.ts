/** Marks the sides on which something scrolls on, so that it can be seen to (pit.css). */
export function fading(node: HTMLElement): () => void {
  function look(): void {
    node.toggleAttribute("data-before", node.scrollLeft > 1);
    node.toggleAttribute("data-after", node.scrollLeft + node.clientWidth < node.scrollWidth - 1);
  }
  const sizes = new ResizeObserver(look);
  for (const each of [node, ...node.children]) sizes.observe(each);
  node.addEventListener("scroll", look, { passive: true });
  return () => {
    sizes.disconnect();
    node.removeEventListener("scroll", look);
  };
}
