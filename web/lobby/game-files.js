// Game files that are dropped, pasted or chosen, and shown as replays.

import { Refused } from "../app/connection.js";
import { Page } from "../app/page.js";
import { positions, replay } from "../app/requests.js";
import { GamePage } from "../play/game-page.js";
import { button, el } from "../ui/dom.js";
import { textForm } from "../ui/text-form.js";
import { showError, showNotice } from "../ui/toast.js";

/** @import { Command, GameState, Ok, Position } from "../app/protocol.js" */
/** @import { AppContext } from "../play/game-page.js" */

/** The open file; it is lost when the page is closed. @type {{text: string, state: GameState} | null} */
let current = null;

/** Returns the text of the open file. */
export function openFileText() {
  return current?.text ?? null;
}

/**
 * Reads a file and opens its replay.
 * @param {string} text
 * @param {AppContext} context
 * @returns {Promise<void>} rejected with the reason
 */
export async function openFile(text, context) {
  const state = await replay(text);
  current = { text, state: { ...state, id: "file", seq: 0 } };
  context.open("/replay");
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
    if (command.t !== "position") throw new Refused("this is a replay: no moves can be made");
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
 * @param {AppContext} context
 */
export function filePage(context) {
  if (!current) return new OpenFilePage(context);
  const { text, state } = current;
  const page = new GamePage(null, { ...context, link: new FileLink(text) }, text);
  page.update(state);
  return page;
}

/** Asks for a file. */
class OpenFilePage extends Page {
  /** @param {AppContext} context */
  constructor(context) {
    super();
    const accept = ".pgn,.pgn4,.blksgf,.sgf,.json,.txt,text/plain";
    const { text, reason, submit, file } = textForm({ id: "file-text", rows: "9" }, accept, (given) => openFile(given, context));
    this.root = el(
      "main",
      { class: "lobby open-file", tabindex: "-1" },
      el("div", { class: "lobby-head" }, el("h1", {}, "Open a game file"), el("p", {}, "Drop a file anywhere on the page, paste it, or choose it here. The server does not store it.")),
      el(
        "div",
        { class: "open-file-form" },
        el("label", { for: text.id }, "PGN (chess), PGN4 (four-player chess), SGF (Blokus) or a kung fu chess replay"),
        text,
        reason,
        el("div", { class: "actions" }, button("Open", submit, "button primary"), button("Choose file…", () => file.click()), file),
      ),
    );
    document.title = "Open a game file – Fourfold";
  }
}

/**
 * Handles files that are dropped on the page, and games that are pasted.
 * @param {() => ((text: string) => Promise<void>) | null} fileHandler returns the handler, or null if files are not accepted now
 */
export function install(fileHandler) {
  const take = (/** @type {string} */ text) => fileHandler()?.(text)?.catch(showError);
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = fileHandler() ? "copy" : "none";
  });
  addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    if (!fileHandler()) return showNotice("finish your game first, then open a file");
    return take(await file.text());
  });
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain").trim();
    const target = /** @type {Element} */ (event.target);
    if (!text || target.closest?.("input, textarea, dialog") || !fileHandler()) return;
    event.preventDefault();
    take(text);
  });
}
