// The replay of a real-time game: any tick of it, from the frames that the server sends.

import { say } from "../app/announcements.js";
import { replayFrames } from "../app/requests.js";
import { showError } from "../ui/toast.js";

/** @import { CapturedPiece, GameState, Position, RealtimePiece } from "../app/protocol.js" */
/** @import { ReplayFrame, ReplaySource } from "../app/requests.js" */

/** What is visible from a tick until the next frame. @typedef {{tick: number, realtime_pieces: RealtimePiece[], eliminated: number[], captured: CapturedPiece[][], departs: boolean}} Snapshot */

export class RealtimeReplay {
  /**
   * @param {ReplaySource} source
   * @param {() => void} changed
   */
  constructor(source, changed) {
    this.source = source;
    this.changed = changed;
    /** @type {Snapshot[]} */
    this.snapshots = [];
    /** The tick that is shown, or null for the latest. @type {number | null} */
    this.ply = null;
    /** @type {Position | null} */
    this.position = null;
    this.length = 0;
    /** @type {ReplayFrame[]} */
    this.frames = [];
    /** The tick up to which frames are loaded. */
    this.loaded = 0;
    this.rate = 30;
    /** @type {Promise<void> | null} */
    this.loading = null;
  }

  /** Ticks per second at normal speed. */
  get perSecond() {
    return this.rate;
  }

  get at() {
    return this.ply ?? this.length;
  }

  /** @param {GameState} state */
  update({ time }) {
    if (!time) return;
    this.rate = time.rate;
    this.length = Math.round((time.now * time.rate) / 1000);
    // The game has continued, so there are more frames.
    if (this.length > this.loaded) this.loading = null;
  }

  showLatest() {
    this.ply = null;
    this.position = null;
  }

  /** @param {number} tick */
  async go(tick) {
    if (tick >= this.length) {
      this.showLatest();
      return this.changed();
    }
    this.ply = Math.max(0, tick);
    await this.ready();
    return this.show();
  }

  /** Waits for the frames; if they cannot be loaded, shows the latest position. */
  async ready() {
    try {
      this.loading ??= this.load();
      await this.loading;
    } catch (error) {
      this.loading = null;
      this.showLatest();
      showError(error);
    }
  }

  async load() {
    const frames = [...this.frames];
    for (let more = true; more; ) {
      const part = await replayFrames(this.source, frames.length);
      this.length = part.end;
      frames.push(...part.frames);
      more = frames.length < part.count;
    }
    this.frames = frames;
    this.loaded = this.length;
    this.snapshots = snapshotsOf(frames);
  }

  show() {
    if (this.ply !== null && this.ply >= this.length) this.showLatest();
    if (this.ply !== null && this.snapshots.length > 0) {
      const { realtime_pieces, eliminated, captured } = /** @type {Snapshot} */ (this.snapshots[this.snapshotIndex(this.ply)]);
      this.position = { realtime_pieces, eliminated, captured, tick: this.ply, scores: [], colors: [], pieces: [], last_move: [], check: [] };
    }
    this.changed();
  }

  /** Returns the index of the snapshot at a tick. @param {number} tick */
  snapshotIndex(tick) {
    let [low, high] = [0, this.snapshots.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.snapshots[middle]?.tick ?? 0) <= tick) low = middle;
      else high = middle;
    }
    return low;
  }

  /**
   * Goes to the next or previous tick on which a piece departs.
   * @param {1 | -1} direction
   */
  async step(direction) {
    const from = this.at;
    await this.ready();
    const ticks = [0, ...this.snapshots.filter(({ departs }) => departs).map(({ tick }) => tick), this.length];
    const wanted = direction > 0 ? ticks.find((tick) => tick > from) : ticks.findLast((tick) => tick < from);
    await this.go(wanted ?? (direction > 0 ? this.length : 0));
    say(this.positionText());
  }

  /** Returns the current time as text. */
  positionText() {
    return `${timeText(this.at, this.rate)} of ${timeText(this.length, this.rate)}`;
  }

  /** Returns the current time as a URL parameter. @returns {[string, string]} */
  urlParameter() {
    return ["at", (this.at / this.rate).toFixed(1)];
  }

  /** @param {URLSearchParams} words the parameters of a link */
  openLink(words) {
    const seconds = Number(words.get("at") ?? NaN);
    if (Number.isFinite(seconds)) this.go(seconds * this.rate);
  }
}

/**
 * @param {ReplayFrame[]} frames
 * @returns {Snapshot[]}
 */
function snapshotsOf(frames) {
  /** @type {Map<number, RealtimePiece>} */
  const there = new Map();
  /** @type {number[]} */
  let eliminated = [];
  /** @type {CapturedPiece[][]} */
  let captured = [];
  return frames.map((frame) => {
    let departs = false;
    for (const piece of frame.realtime_pieces) {
      departs ||= Boolean(piece.flight && !there.get(piece.id)?.flight);
      if (piece.gone) there.delete(piece.id);
      else there.set(piece.id, piece);
    }
    eliminated = frame.eliminated ?? eliminated;
    captured = frame.captured ?? captured;
    return { tick: frame.tick, realtime_pieces: [...there.values()], eliminated, captured, departs };
  });
}

/**
 * @param {number} tick
 * @param {number} rate
 * @returns {string} `1:05.3`
 */
function timeText(tick, rate) {
  const tenths = Math.floor((10 * tick) / rate);
  const seconds = Math.floor(tenths / 10);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${tenths % 10}`;
}
