// Steps a batch of environments and shows the throughput.

import { reasonOf } from "../app/connection.js";
import { plural, sentence } from "../app/names.js";
import { read, store } from "../app/preferences.js";
import { button, el, selectField, setText, svg } from "../ui/dom.js";
import { stepBatch } from "./inspector-requests.js";

/** @import { Run } from "./inspector-requests.js" */

const SIZES = [1, 16, 64, 256, 1024];
const DEFAULT_SIZE = 256;
/** How many runs the chart shows. */
const MAX_RUNS = 12;

export class BatchPanel {
  /** @param {() => string} game returns the id of the selected game */
  constructor(game) {
    this.game = game;
    /** @type {Run[]} */
    this.runs = [];
    this.sizes = el("select", { id: "batch-games", change: () => store("batch.games", this.sizes.value) }, ...SIZES.map((size) => el("option", { value: size }, formatNumber(size))));
    this.sizes.value = read("batch.games") ?? String(DEFAULT_SIZE);
    if (this.sizes.selectedIndex < 0) this.sizes.value = String(DEFAULT_SIZE);
    this.observe = el("input", { type: "checkbox", checked: true });
    this.go = button("Step a batch", () => this.step(), "button primary");
    this.figure = el("p", { class: "speed", role: "status" });
    this.about = el("p", { class: "muted" }, "Plays random legal actions for 0.25 s on this server.");
    this.reason = el("p", { class: "reason", role: "alert" });
    this.bars = svg("svg", { class: "bars", role: "img", "aria-label": "Latest runs", preserveAspectRatio: "none", viewBox: `0 0 ${MAX_RUNS} 1` });
    this.bars.toggleAttribute("hidden", true);
    this.root = el(
      "section",
      { class: "batch", "aria-label": "Speed" },
      el("h2", {}, "Speed"),
      el(
        "div",
        { class: "batch-form" },
        selectField("Environments", this.sizes),
        el("label", { class: "check-line" }, this.observe, el("span", {}, "Compute masks and observations")),
        this.go,
      ),
      this.figure,
      this.bars,
      this.about,
      this.reason,
    );
  }

  /** Discards the runs, which were measured on another game. */
  clear() {
    this.runs = [];
    setText(this.figure, "");
    this.bars.toggleAttribute("hidden", true);
  }

  async step() {
    this.go.disabled = true;
    setText(this.reason, "");
    const game = this.game();
    try {
      const run = await stepBatch(game, Number(this.sizes.value), this.observe.checked);
      if (game === this.game()) this.show(run);
    } catch (error) {
      setText(this.reason, sentence(reasonOf(error)));
    } finally {
      this.go.disabled = false;
    }
  }

  /** @param {Run} run */
  show(run) {
    this.runs = [...this.runs, run].slice(-MAX_RUNS);
    this.figure.replaceChildren(el("strong", {}, formatNumber(run.per_second)), " steps per second");
    const { games, threads, steps, ended, seconds } = run;
    const [many, ends] = [games, ended].map((count) => plural(formatNumber(count), "game"));
    setText(this.about, `${many}, ${formatNumber(steps)} steps in ${seconds.toFixed(2)} s, ${ends} ended; ${threads === 1 ? "one thread" : `${threads} threads`}.`);
    const most = Math.max(...this.runs.map(({ per_second }) => per_second));
    this.bars.toggleAttribute("hidden", false);
    this.bars.replaceChildren(
      ...this.runs.map(({ per_second }, index) => {
        const height = per_second / most;
        return svg("rect", { x: index + 0.1, y: 1 - height, width: 0.8, height, class: index === this.runs.length - 1 ? "latest" : "" });
      }),
    );
    this.bars.setAttribute("aria-label", `Latest runs, steps per second: ${this.runs.map(({ per_second }) => formatNumber(per_second)).join(", ")}`);
  }
}

/** @param {number} value */
function formatNumber(value) {
  return new Intl.NumberFormat("en").format(Math.round(value));
}
