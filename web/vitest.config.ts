import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  // Runes react only in what Svelte ships for browsers.
  resolve: { conditions: ["browser"] },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
    // A document and a copy of Svelte for each file would take most of the time.
    pool: "threads",
    isolate: false,
    // A busy machine is no failure; a night looks at many more cases.
    testTimeout: process.env.PUNTO_NIGHTLY === "1" ? 600_000 : 30_000,
    restoreMocks: true,
    unstubGlobals: true,
    coverage: {
      include: ["src/**/*.ts"],
      // Types, what a tool writes, and what starts a page.
      exclude: ["src/wire.ts", "src/pages/verify/catalogue.ts", "src/main.ts", "src/gallery/**"],
      reporter: ["text-summary"],
      thresholds: { lines: 98, branches: 93 },
    },
  },
});
