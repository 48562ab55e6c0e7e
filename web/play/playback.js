// The controls of a replay: play, pause, seek, speed, and a link to the current moment.

import { say } from "../app/announcements.js";
import { read, store } from "../app/preferences.js";
import { copyButton } from "../ui/copy-button.js";
import { el, setText } from "../ui/dom.js";
import { setIcon } from "../ui/icons.js";

/** @import { GameState } from "../app/protocol.js" */
/** @import { RealtimeReplay } from "../realtime/realtime-replay.js" */
/** @import { Replay } from "./move-list.js" */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

export class Playback {
  /**
   * @param {() => Replay | RealtimeReplay} replay
   * @param {(moment: [string, string] | null) => string | null} link returns the link to the game or to a moment of it, if there is one
   */
  constructor(replay, link) {
    this.replay = replay;
    this.link = link;
    /** Where and when playing started. @type {{at: number, since: number} | null} */
    this.from = null;
    this.frame = 0;
    this.button = el("button", { type: "button", class: "button icon primary", click: () => this.toggle() });
    this.slider = el("input", { type: "range", min: "0", "aria-label": "Position", input: () => this.seek(Number(this.slider.value)) });
    this.position = el("output", { class: "replay-time" });
    this.speed = el(
      "select",
      { "aria-label": "Speed", change: () => this.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((speed) => el("option", { value: speed }, `${speed}×`)),
    );
    const known = Number(read("replay.speed"));
    this.speed.value = String(SPEEDS.includes(known) ? known : 1);
    this.copy = copyButton("Copy link", () => this.address() ?? "");
    this.copy.classList.add("small");
    this.root = el(
      "section",
      { class: "playback", "aria-label": "Replay", hidden: true },
      this.button,
      this.slider,
      this.position,
      el("div", { class: "playback-more" }, this.speed, this.copy),
    );
    this.updateButton();
  }

  get playing() {
    return this.from !== null;
  }

  /** The link to copy: to the current moment, unless it is the end. */
  address() {
    const replay = this.replay();
    return this.link(replay.ply === null ? null : replay.urlParameter());
  }

  /** @param {GameState} state */
  update(state) {
    const replay = this.replay();
    const file = this.link(null) === null;
    this.root.hidden = (!state.outcome && !file) || replay.length === 0;
    if (this.root.hidden) return;
    this.slider.max = String(replay.length);
    this.slider.value = String(Math.round(replay.at));
    this.slider.setAttribute("aria-valuetext", replay.positionText());
    setText(this.position, replay.positionText());
    this.copy.hidden = file;
    if (this.playing && replay.ply === null) this.stop();
  }

  /** @param {number} at */
  seek(at) {
    if (this.from) this.from = { at, since: performance.now() };
    this.replay().go(at);
  }

  toggle() {
    if (this.playing) {
      this.stop();
      say("Paused");
    } else {
      this.play();
      say("Playing");
    }
  }

  async play() {
    const replay = this.replay();
    const at = replay.ply === null ? 0 : replay.at;
    this.from = { at, since: performance.now() };
    this.updateButton();
    await replay.go(at);
    if (!this.from) return;
    this.from = { at, since: performance.now() }; // Loading took time.
    this.run();
  }

  run() {
    cancelAnimationFrame(this.frame);
    if (!this.from) return;
    const replay = this.replay();
    const passed = ((performance.now() - this.from.since) / 1000) * replay.perSecond * Number(this.speed.value);
    const wanted = replay.perSecond > 1 ? this.from.at + passed : Math.floor(this.from.at + passed);
    if (wanted !== replay.at) replay.go(wanted);
    if (this.from) this.frame = requestAnimationFrame(() => this.run());
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.from = null;
    this.updateButton();
  }

  updateButton() {
    setIcon(this.button, this.playing ? "pause" : "play", this.playing ? "Pause" : "Replay", "p");
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed.value = String(speed);
    store("replay.speed", String(speed));
    if (this.from) this.from = { at: this.replay().at, since: performance.now() };
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the replay handled it
   */
  key({ key, target }) {
    if (this.root.hidden) return false;
    const free = !(target instanceof Element && target.closest("button, a, summary, [role=grid]"));
    const index = SPEEDS.indexOf(Number(this.speed.value));
    if (key === "p" || (key === " " && free)) this.toggle();
    else if (key === "+" || key === "-") this.setSpeed(SPEEDS[index + (key === "+" ? 1 : -1)] ?? Number(this.speed.value));
    else return false;
    return true;
  }
}
