// Clocks, counted down locally from the last times that the server sent.

import { say } from "../app/announcements.js";
import { el, setText } from "../ui/dom.js";

/** @import { Clock, GameState } from "../app/protocol.js" */

const SECOND = 1000;
/** Below this, a clock shows tenths and is highlighted. */
const LOW = 20 * SECOND;

/**
 * @param {number} milliseconds
 * @returns {string} `5:03`, `1:02:03` or `12.3`
 */
export function timeText(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left < LOW) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / SECOND);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/**
 * Returns how much of the time since the server's message counts.
 * @param {Clock} clock
 * @param {number} passed
 */
export function elapsed(clock, passed) {
  return Math.max(0, passed - clock.delay_left);
}

/** The clock faces of one game, by seat. */
export class Clocks {
  constructor() {
    /** @type {Clock | null} */
    this.clock = null;
    /** The times of an earlier position, which is shown instead. @type {number[] | null} */
    this.earlier = null;
    /** When `clock` arrived. */
    this.since = 0;
    /** @type {Map<number, HTMLElement>} */
    this.faces = new Map();
    /** Seats whose low time was announced. @type {Set<number>} */
    this.announced = new Set();
    /** @type {number[]} */
    this.yours = [];
    this.timer = 0;
  }

  /**
   * @param {number} seat
   * @returns {HTMLElement}
   */
  face(seat) {
    let face = this.faces.get(seat);
    if (!face) {
      face = el("div", { class: "clock", role: "timer" });
      this.faces.set(seat, face);
    }
    return face;
  }

  /** @param {GameState} state */
  update(state) {
    this.yours = state.outcome ? [] : state.you;
    if (state.clock !== this.clock) {
      this.clock = state.clock;
      this.since = performance.now();
    }
    state.seats.forEach((seat, index) => this.face(index).setAttribute("aria-label", `${seat.name} clock`));
    this.draw();
  }

  /**
   * Shows the times of an earlier position, or again the current ones.
   * @param {number[] | null} earlier
   */
  showEarlier(earlier) {
    if (earlier === this.earlier) return;
    this.earlier = earlier;
    this.draw();
  }

  draw() {
    clearTimeout(this.timer);
    const { clock, earlier } = this;
    for (const [seat, face] of this.faces) {
      face.hidden = !clock;
      if (!clock) continue;
      const running = clock.running === seat && !earlier;
      const left = earlier ? (earlier[seat] ?? 0) : (clock.left[seat] ?? 0) - (running ? elapsed(clock, performance.now() - this.since) : 0);
      setText(face, timeText(left));
      face.classList.toggle("running", running);
      face.classList.toggle("low", left < LOW);
      if (running && left < LOW) this.announceLow(seat);
    }
    if (clock && clock.running !== null) this.timer = setTimeout(() => this.draw(), 100);
  }

  /**
   * Announces once that your time is low.
   * @param {number} seat
   */
  announceLow(seat) {
    if (!this.yours.includes(seat) || this.announced.has(seat)) return;
    this.announced.add(seat);
    say(`Less than ${LOW / SECOND} seconds left`);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
