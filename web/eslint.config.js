// What is written differently, and is not wrong for it, is the formatter's or nobody's concern: these rules find faults.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  globalIgnores(["src/wire.ts", "src/pages/verify/catalogue.ts"]),
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ["*.js"] },
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: [".svelte"],
      },
    },
    rules: {
      // The compiler knows every name.
      "no-undef": "off",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      "@typescript-eslint/no-deprecated": "error",
      "@typescript-eslint/no-unnecessary-boolean-literal-compare": "error",
      "@typescript-eslint/no-unnecessary-condition": "error",
      "@typescript-eslint/no-unnecessary-type-parameters": "error",
      "@typescript-eslint/use-unknown-in-catch-callback-variable": "error",
      // There are no stores here, and looking for them takes as long as all else.
      "svelte/require-store-reactive-access": "off",
      // It cannot tell a Set in which something is noted from one that is shown.
      "svelte/prefer-svelte-reactivity": "off",
      // A mustache keeps a space at the edge of an element, where Svelte drops others.
      "svelte/no-useless-mustaches": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    // A page that is told of a table and needs none says so with an empty pattern.
    rules: { "no-empty-pattern": "off" },
  },
  {
    files: ["**/*.test.ts", "tests/**"],
    rules: {
      // What stands in for something that takes time takes none.
      "@typescript-eslint/require-await": "off",
      // A method that is asked whether it was called is not called.
      "@typescript-eslint/unbound-method": "off",
    },
  },
);
