// The time of a game without turns, estimated from the server's messages.

/** @import { GameTime } from "./protocol.js" */

/** A difference that is no delay: the computer slept, or the game stood still. */
const JUMP = 500;
/** How fast the estimate follows later messages, and what is shown the estimate. */
const DRIFT = 0.02;
const SLEW = 150;

export class Ticks {
  constructor() {
    /** @type {GameTime | null} */
    this.time = null;
    /** The page's time less the game's: the quickest message knows best. */
    this.offset = 0;
    /** The same as it is shown, which never jumps. */
    this.shown = 0;
    this.asked = 0;
  }

  /** @param {GameTime} time from a message that has just come */
  hear(time) {
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

  /** Milliseconds of the game; before `from` it has not begun. */
  now() {
    const { time } = this;
    if (!time || time.phase !== "running") return time?.now ?? 0;
    const now = performance.now();
    this.shown += (this.offset - this.shown) * Math.min(1, (now - this.asked) / SLEW);
    this.asked = now;
    return now - this.shown;
  }

  /** The tick, with what has passed of it. */
  tick() {
    return ((this.time?.rate ?? 0) * this.now()) / 1000;
  }

  /** Milliseconds until time runs. */
  wait() {
    return this.time?.phase === "running" ? this.time.from - this.now() : 0;
  }
}
