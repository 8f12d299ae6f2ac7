import { prefersReducedMotion } from "svelte/motion";

const FLY_MS = 350;

/**
 * Fly the element in from the shoe of its table: the element marked data-shoe, or else the top right corner of the screen.
 * The Web Animations API needs no style element, which the Content-Security-Policy would refuse.
 */
export function flyFromShoe(element: Element, delay_ms = 0): void {
  if (prefersReducedMotion.current) return;
  const here = element.getBoundingClientRect();
  const table = element.closest("[data-table]") ?? document;
  const shoe = table.querySelector("[data-shoe]")?.getBoundingClientRect();
  const x = (shoe ? shoe.left + shoe.width / 2 : innerWidth) - (here.left + here.width / 2);
  const y = (shoe ? shoe.top + shoe.height / 2 : 0) - (here.top + here.height / 2);
  element.animate(
    [
      { transform: `translate(${x}px, ${y}px) rotate(24deg) scale(0.7)`, opacity: 0 },
      { opacity: 1, offset: 0.2 },
      { transform: "none", opacity: 1 },
    ],
    { duration: FLY_MS, delay: delay_ms, easing: "cubic-bezier(0.22, 0.8, 0.3, 1)", fill: "backwards" },
  );
}
