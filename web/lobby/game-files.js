// Game files that are dropped, pasted or chosen, and shown as replays.

import { fileInput } from "../ui/file-input.js";
import { button, el, write } from "../ui/dom.js";
import { GamePage } from "../play/game-page.js";
import { sentence } from "../app/names.js";
import { positions, replay } from "../app/requests.js";
import { reasonOf, Refused } from "../app/connection.js";
import { notice } from "../ui/toast.js";

/** @import { Around } from "../play/game-page.js" */
/** @import { Command, GameState, Ok, Position } from "../app/protocol.js" */

/** The open file; it is lost when the page is closed. @type {{text: string, state: GameState} | null} */
let held = null;

/** Returns the text of the open file. */
export function heldText() {
  return held?.text ?? null;
}

/**
 * Reads a file and opens its replay.
 * @param {string} text
 * @param {Around} around
 * @returns {Promise<void>} rejected with the reason
 */
export async function openText(text, around) {
  const state = await replay(text);
  held = { text, state: { ...state, id: "file", seq: 0 } };
  around.open("/replay");
}

/** Answers commands about a file as the server does about a game. */
class FileLink {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** @type {Map<number, Position>} */
    this.known = new Map();
  }

  /**
   * @param {Command} command
   * @returns {Promise<Ok>}
   */
  async send(command) {
    if (command.t !== "look") throw new Refused("this is a replay: no moves can be made");
    const { ply } = command;
    if (!this.known.has(ply)) {
      // Steps back are as likely as steps forward.
      const from = Math.max(0, ply - 20);
      (await positions(this.text, from)).forEach((position, index) => this.known.set(from + index, position));
    }
    return { t: "ok", n: 0, ...this.known.get(ply) };
  }
}

/**
 * Returns the replay of the open file, or a page that asks for a file.
 * @param {Around} around
 */
export function filePage(around) {
  if (!held) return new AskPage(around);
  const { text, state } = held;
  const page = new GamePage(null, { ...around, link: new FileLink(text) }, text);
  page.update(state);
  return page;
}

/** Asks for a file. */
class AskPage {
  /** @param {Around} around */
  constructor(around) {
    /** This page does not watch a game. @type {string | null} */
    this.id = null;
    const text = el("textarea", { id: "file-text", rows: "9", spellcheck: "false", autocomplete: "off" });
    const reason = el("p", { class: "reason", role: "alert" });
    const attempt = async () => {
      try {
        await openText(text.value, around);
      } catch (error) {
        write(reason, sentence(reasonOf(error)));
        text.focus();
      }
    };
    const file = fileInput(".pgn,.pgn4,.blksgf,.sgf,.json,.txt,text/plain", (chosen) => {
      text.value = chosen;
      attempt();
    });
    text.addEventListener("input", () => write(reason, ""));
    this.root = el(
      "main",
      { class: "lobby asking", tabindex: "-1" },
      el("div", { class: "lobby-head" }, el("h1", {}, "Open a game file"), el("p", {}, "Drop a file anywhere on the page, paste it, or choose it here. The server does not store it.")),
      el(
        "div",
        { class: "ask" },
        el("label", { for: text.id }, "PGN (chess), PGN4 (four-player chess), SGF (Blokus) or a kung fu chess replay"),
        text,
        reason,
        el("div", { class: "actions" }, button("Open", attempt, "button primary"), button("Choose file…", () => file.click()), file),
      ),
    );
    document.title = "Open a game file – Fourfold";
  }

  hello() {}

  update() {}

  key() {
    return false;
  }

  close() {}
}

/**
 * Handles files that are dropped on the page, and games that are pasted.
 * @param {() => ((text: string) => Promise<void>) | null} taker returns the handler, or null if files are not accepted now
 */
export function install(taker) {
  const take = async (/** @type {string} */ text) => {
    try {
      await taker()?.(text);
    } catch (error) {
      notice(reasonOf(error));
    }
  };
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = taker() ? "copy" : "none";
  });
  addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    if (!taker()) return notice("finish your game first, then open a file");
    return take(await file.text());
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain").trim();
    const target = /** @type {Element} */ (event.target);
    if (!text || target.closest?.("input, textarea, dialog") || !taker()) return;
    event.preventDefault();
    take(text);
  });
}
