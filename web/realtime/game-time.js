// Estimates the time of a real-time game from the server's messages.

/** @import { GameTime } from "../app/protocol.js" */

/** A larger difference is not a delay: the computer slept, or the game was paused. */
const JUMP = 500;
/** How fast the estimate follows delayed messages, and how many milliseconds the shown time takes to follow the estimate. */
const DRIFT = 0.02;
const SLEW = 150;

export class TickEstimator {
  constructor() {
    /** @type {GameTime | null} */
    this.time = null;
    /** The page's time minus the game's; the fastest message gives the best estimate. */
    this.offset = 0;
    /** The offset that is shown, which follows `offset` smoothly. */
    this.shown = 0;
    this.asked = 0;
  }

  /** @param {GameTime} time from a message that has just arrived */
  onTime(time) {
    const before = this.time;
    const now = performance.now();
    const offset = now - time.now;
    this.time = time;
    if (before?.phase !== "running" || before.from !== time.from || Math.abs(offset - this.offset) > JUMP) {
      [this.offset, this.shown, this.asked] = [offset, offset, now];
    } else {
      this.offset = Math.min(offset, this.offset + DRIFT * (offset - this.offset));
    }
  }

  /** The game's time in milliseconds; it runs from `from` on. */
  now() {
    const { time } = this;
    if (!time || time.phase !== "running") return time?.now ?? 0;
    const now = performance.now();
    this.shown += (this.offset - this.shown) * Math.min(1, (now - this.asked) / SLEW);
    this.asked = now;
    return now - this.shown;
  }

  /** The current tick, including its fraction. */
  tick() {
    return ((this.time?.rate ?? 0) * this.now()) / 1000;
  }

  /** Milliseconds until time starts to run. */
  wait() {
    return this.time?.phase === "running" ? this.time.from - this.now() : 0;
  }
}
