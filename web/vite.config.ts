import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// While pages are being written, `vite` serves them and passes the rest on to a floor: PUNTO_PORT=8421 npm run dev
const floor = `http://127.0.0.1:${process.env.PUNTO_PORT ?? "8421"}`;

// The server sends a strict Content-Security-Policy: nothing may be inlined, neither scripts nor styles nor assets.
export default defineConfig({
  plugins: [svelte()],
  server: {
    proxy: {
      "/api": { target: floor },
      "/enter": { target: floor },
      "/live": { target: floor, ws: true },
    },
  },
  build: {
    outDir: "../src/punto/server/pages",
    emptyOutDir: true,
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The first with light-dark(), in which the themes are written.
    target: ["chrome123", "firefox120", "safari17.5"],
  },
});
