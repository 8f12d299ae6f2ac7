// The keys of all catalogues, as types only: the words themselves come with the page that says them.
import type { en as lobby } from "../../pages/lobby/words";
import type { en as terminal } from "../../pages/terminal/words";
import type { en as display } from "../../pages/display/words";
import type { en as dealer } from "../../pages/dealer/words";
import type { en as verify } from "../../pages/verify/words";
import type { en as entrance } from "../../pages/entrance/words";
import type { en as pit } from "../../pages/pit/words";
import type { en as decisions } from "../../pages/pit/decisions/words";
import type { en as receipt } from "../receipt/words";
import type { en as claims } from "../claims/words";
import type { common } from "./en";

export type Words = typeof common &
  typeof lobby &
  typeof terminal &
  typeof display &
  typeof dealer &
  typeof pit &
  typeof verify &
  typeof entrance &
  typeof decisions &
  typeof receipt &
  typeof claims;

export type Key = keyof Words;
