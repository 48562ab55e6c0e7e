// The time controls on offer, a custom one, and how the options of a game are written.

import { read, store } from "../app/preferences.js";
import { el } from "../ui/dom.js";

/** @import { GameKind, TimeControl } from "../app/protocol.js" */

const MINUTE = 60_000;
const SECOND = 1000;

/** The id of the choice whose clock is entered. */
export const CUSTOM = "custom";

/** @type {{id: string, name: string, clock: TimeControl | null}[]} */
export const CLOCKS = [
  { id: "none", name: "None", clock: null },
  ...[
    [1, 0],
    [2, 1],
    [3, 2],
    [5, 3],
    [10, 0],
    [15, 10],
  ].map(([minutes = 0, seconds = 0]) => ({
    id: `${minutes}+${seconds}`,
    name: `${minutes}+${seconds}`,
    clock: { initial: minutes * MINUTE, increment: seconds * SECOND },
  })),
  { id: CUSTOM, name: "Custom", clock: null },
];

/**
 * @param {TimeControl | null} clock
 * @returns {string} `5+3`, `0:45+0`, with a delay `5 d3` or `5+3 d2`; empty without clocks
 */
export function clockText(clock) {
  if (!clock) return "";
  const { initial, increment, delay = 0 } = clock;
  const whole = initial % (MINUTE / 2) === 0;
  const minutes = whole ? initial / MINUTE : `${Math.floor(initial / MINUTE)}:${String((initial % MINUTE) / SECOND).padStart(2, "0")}`;
  const text = increment === 0 && delay > 0 ? String(minutes) : `${minutes}+${increment / SECOND}`;
  return delay > 0 ? `${text} d${delay / SECOND}` : text;
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

/** The fields of a custom clock: name, what is shown for it, its unit, and its largest value. */
const FIELDS = /** @type {const} */ ([
  ["Minutes", "", 1440],
  ["Seconds", "", 59],
  ["Increment", "Seconds added after each move", 600],
  ["Delay", "Seconds at the start of each turn that do not count", 600],
]);

/** A custom clock: fields that show the clock that was last entered in this browser, and remember it. */
export class CustomClock {
  /** @param {() => void} changed */
  constructor(changed) {
    const values = lastCustom();
    this.inputs = FIELDS.map(([, title, max], index) => {
      const change = () => {
        store("clock.custom", this.inputs.map(({ value }) => amount(value)).join(" "));
        changed();
      };
      return el("input", { type: "number", min: "0", max: String(max), step: "1", inputmode: "numeric", title: title || null, value: String(values[index] ?? 0), input: change });
    });
    const labels = FIELDS.map(([name], index) => el("label", {}, el("span", {}, name), this.inputs[index]));
    this.root = el("div", { class: "custom-clock", role: "group", "aria-label": "Custom clock" }, ...labels);
  }

  /** @returns {TimeControl} */
  clock() {
    return customClock(this.inputs.map(({ value }) => amount(value)));
  }
}

/**
 * @param {number[]} values minutes, seconds, increment and delay in seconds
 * @returns {TimeControl}
 */
export function customClock([minutes = 0, seconds = 0, increment = 0, delay = 0]) {
  const clock = { initial: minutes * MINUTE + seconds * SECOND, increment: increment * SECOND };
  return delay > 0 ? { ...clock, delay: delay * SECOND } : clock;
}

/**
 * Returns the whole number that was entered, or 0.
 * @param {string} text
 */
function amount(text) {
  return Math.max(0, Math.round(Number(text)) || 0);
}

/** Returns the values of the last custom clock. */
function lastCustom() {
  const values = (read("clock.custom") ?? "").split(" ").map(amount);
  return values.length === FIELDS.length ? values : [5, 0, 0, 3];
}
