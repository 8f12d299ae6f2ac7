// All tests of a worker share one document and one copy of each module: each begins with nothing kept and nothing shown.
import { beforeEach, vi } from "vitest";
import { language } from "../src/lib/words";

beforeEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  document.head.innerHTML = "";
  document.body.innerHTML = "";
  language.show("en");
});
