// Runs one action at a time, so that a second click does not repeat it.

import { showError } from "../ui/toast.js";

/** @returns {(act: () => Promise<void>) => Promise<void>} runs an action unless another one is running, and shows why it failed */
export function oneAtATime() {
  let busy = false;
  return async (act) => {
    if (busy) return;
    busy = true;
    await act().catch(showError);
    busy = false;
  };
}
