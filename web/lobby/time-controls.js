// The time controls on offer, and how the options of a game are written.

/** @import { GameKind, TimeControl } from "../app/protocol.js" */

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

/**
 * Returns the clock and the names of the chosen rules; texts may be empty.
 * @param {GameKind | undefined} kind
 * @param {{clock: TimeControl | null, rules: string | null}} game
 * @returns {string[]}
 */
export function gameDetails(kind, { clock, rules }) {
  const words = (rules ?? "").split(" ");
  const options = (kind?.choices ?? []).flatMap((choice) => choice.options);
  return [clockText(clock), ...options.filter((option) => option.rules && words.includes(option.rules)).map(({ name }) => name)];
}
