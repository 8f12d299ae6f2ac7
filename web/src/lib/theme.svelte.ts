import { keep, kept } from "./kept";

export type Theme = "dark" | "light";

const NAME = "theme";
// The browser's own bars take the colour of the ground; they cannot read it from the style sheet.
const BARS: Record<Theme, string> = { dark: "#0b1511", light: "#e9eeea" };

const system = matchMedia("(prefers-color-scheme: light)");

function remembered(): Theme | null {
  const value = kept(NAME);
  return value === "dark" || value === "light" ? value : null;
}

let chosen = $state<Theme | null>(remembered());
let light = $state(system.matches);

function apply(): void {
  if (chosen) document.documentElement.dataset.theme = chosen;
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", BARS[theme.current]);
}

/** The theme that is shown: the person's choice, or else the system's. */
export const theme = {
  get current(): Theme {
    return chosen ?? (light ? "light" : "dark");
  },
  choose(next: Theme): void {
    chosen = next;
    keep(NAME, next);
    apply();
  },
};

system.addEventListener("change", () => {
  light = system.matches;
  apply();
});
apply();
