// The time controls on offer.

/** @import { TimeControl } from "../app/protocol.js" */

const MINUTE = 60_000;
const SECOND = 1000;

/** @type {{id: string, name: string, clock: TimeControl | null}[]} */
export const CLOCKS = [
  { id: "none", name: "None", clock: null },
  ...[
    [3, 2],
    [5, 3],
    [10, 0],
    [15, 10],
  ].map(([minutes = 0, seconds = 0]) => ({
    id: `${minutes}+${seconds}`,
    name: `${minutes}+${seconds}`,
    clock: { initial: minutes * MINUTE, increment: seconds * SECOND },
  })),
];

/**
 * @param {TimeControl | null} clock
 * @returns {string} `5+3`; empty without clocks
 */
export function clockText(clock) {
  return clock ? `${clock.initial / MINUTE}+${clock.increment / SECOND}` : "";
}
