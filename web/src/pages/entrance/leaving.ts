import { toasts } from "../../lib/toasts.svelte";
import { lineOf } from "../../live";
import { identity } from "./me.svelte";

/** Sign out, and be at the door. */
export async function signOut(): Promise<void> {
  try {
    await identity.signOut();
    location.assign("/sign-in");
  } catch (error) {
    toasts.show(lineOf(error), "refused");
  }
}
