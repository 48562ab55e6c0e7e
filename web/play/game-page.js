// The page of one game.

import { announceChanges } from "../app/announcements.js";
import { Page } from "../app/page.js";
import { play } from "../app/sound.js";
import { BoardFrame } from "../board/board-frame.js";
import { Board } from "../board/board.js";
import { el } from "../ui/dom.js";
import { loadSheet } from "../ui/load-sheet.js";
import { showBanner, showError, showNotice } from "../ui/toast.js";
import { boardEvents, showEvents } from "./board-events.js";
import { ChessTable } from "./chess-table.js";
import { Clocks } from "./clock.js";
import { bottomEdge, isYourTurn, setColorScheme } from "./game-state.js";
import { confirmUnrated, Hints } from "./hints.js";
import { MoveList, Replay } from "./move-list.js";
import { Panel } from "./panel.js";
import { Playback } from "./playback.js";
import { Players } from "./players.js";
import { Result } from "./result.js";

/** @import { Sender } from "../app/connection.js" */
/** @import { ChatMessage, Command, GameState, Hello, Network } from "../app/protocol.js" */
/** @import { BlokusTable } from "../blokus/blokus-table.js" */
/** @import { RealtimeReplay } from "../realtime/realtime-replay.js" */
/** @import { RealtimeTable } from "../realtime/realtime-table.js" */
/** @import { Chat } from "./chat.js" */

/**
 * What a page needs from the app.
 * @typedef {object} AppContext
 * @property {Sender} link
 * @property {() => Hello | null} hello
 * @property {() => Network | null} network
 * @property {(path: string) => void} open
 */

/** What only Blokus or only real-time games need; it is loaded with the first such game. */
async function loadBlokus() {
  const [blokus] = await Promise.all([import("../blokus/blokus-table.js"), loadSheet("blokus/rack.css"), loadSheet("blokus/blokus.css")]);
  return blokus;
}

async function loadRealtime() {
  const [table, replay] = await Promise.all([import("../realtime/realtime-table.js"), import("../realtime/realtime-replay.js"), loadSheet("realtime/realtime.css")]);
  return { ...table, ...replay };
}

/** @typedef {Partial<Awaited<ReturnType<typeof loadBlokus>> & Awaited<ReturnType<typeof loadRealtime>>>} Parts */

export class GamePage extends Page {
  /**
   * @param {string | null} id
   * @param {AppContext} context
   * @param {string | null} [file] the text of the file that the game comes from
   */
  constructor(id, context, file = null) {
    super();
    this.id = id;
    this.file = file;
    this.context = context;
    this.turns = 0;
    this.closed = false;
    /** @type {GameState | null} */
    this.state = null;
    /** What was loaded for this kind of game. @type {Parts | null} */
    this.parts = null;
    /** The latest state that arrived before that. @type {GameState | null} */
    this.early = null;
    /** Loaded when there is somebody to chat with. @type {Chat | null} */
    this.chat = null;
    this.loadingChat = false;
    /** Messages that arrived before that. @type {ChatMessage[]} */
    this.unheard = [];
    const actions = {
      send: (/** @type {Command} */ command) => this.send(command),
      setNetwork: (/** @type {boolean} */ open) => context.link.send({ t: "network", open }),
      type: (/** @type {string} */ text) => this.type(text),
      latest: () => this.replay.go(Infinity),
      open: context.open,
      hint: () => this.hint(),
      cancel: () => this.cancel(),
      study: () => context.open(id === null ? "/study?file" : `/study/${id}`),
    };
    this.board = new Board({ interactive: true, name: "Board" });
    /** Created with the first state, which says what is played. @type {ChessTable | BlokusTable | RealtimeTable | null} */
    this.table = null;
    this.hints = new Hints(this.board, context.link, () => this.draw());
    this.clocks = new Clocks();
    const moves = new Replay(context.link, () => this.draw());
    /** Which position of the game is shown. @type {Replay | RealtimeReplay} */
    this.replay = moves;
    this.list = new MoveList(moves, () => this.flip());
    this.playback = new Playback(
      () => this.replay,
      (moment) => (id === null ? null : `${location.origin}/g/${id}${moment ? `?${moment.join("=")}` : ""}`),
    );
    this.panel = new Panel(actions, this.list.root, this.playback.root, id === null);
    this.result = new Result(actions);
    this.board.overlay.append(this.result.root);
    this.frame = new BoardFrame(this.board, new Players(this.clocks));
    this.root = el(
      "main",
      { class: "game", tabindex: "-1" },
      el("h1", { class: "visually-hidden" }, "Game"),
      this.frame.root,
      this.panel.root,
    );
  }

  /** @param {GameState} state */
  update(state) {
    const { parts } = this;
    if (!parts) return void this.load(state);
    const before = this.state;
    this.state = state;
    if (!before && parts.RealtimeReplay) this.replay = new parts.RealtimeReplay(this.file === null ? { game: state.id } : { text: this.file }, () => this.draw());
    this.replay.update(state);
    this.clocks.update(state);
    this.draw();
    this.updateChat();
    if (!before) return this.replay.openLink(new URLSearchParams(location.search));
    announceChanges(before, state);
    showEvents(this.board, state, boardEvents(before, state));
    sound(before, state);
    if (state.next && !before.next && state.you.length > 0) this.context.open(`/g/${state.next}`);
    return undefined;
  }

  /**
   * Loads what this kind of game needs, and then shows the latest state.
   * @param {GameState} state
   */
  async load(state) {
    const loading = this.early !== null;
    this.early = state;
    if (loading) return;
    if (!state.time && state.colors.length === 0) {
      this.parts = {};
    } else {
      try {
        this.parts = state.time ? await loadRealtime() : await loadBlokus();
      } catch {
        return showBanner("The game could not be loaded.", true);
      }
    }
    if (!this.closed) this.update(this.early);
  }

  /** @param {ChatMessage} message */
  onChat(message) {
    this.unheard.push(message);
    this.updateChat();
  }

  updateChat() {
    const { state, chat } = this;
    if (!state) return;
    if (!chat) {
      if (state.chat) this.loadChat();
      return;
    }
    chat.update(state);
    for (const message of this.unheard.splice(0)) chat.receive(message);
  }

  async loadChat() {
    if (this.loadingChat) return;
    this.loadingChat = true;
    try {
      const [{ Chat }] = await Promise.all([import("./chat.js"), loadSheet("play/chat.css")]);
      this.chat = new Chat(this.context.link);
    } catch {
      return showNotice("the chat could not be loaded");
    }
    this.panel.addChat(this.chat);
    this.updateChat();
  }

  hello() {
    this.draw();
  }

  draw() {
    const { state, replay } = this;
    if (!state || this.closed) return;
    const bottom = bottomEdge(state, this.turns);
    const earlier = replay.ply === null ? null : replay.position;
    setColorScheme(this.root, state);
    this.table ??= this.makeTable();
    this.table.show(state, earlier, bottom);
    this.hints.draw(state, earlier !== null, this.table);
    this.clocks.showEarlier(earlier?.clocks ?? null);
    this.frame.update(state, earlier ?? state, bottom);
    this.list.update(state, this.board.view);
    this.playback.update(state);
    this.panel.update(state, this.context, earlier !== null, this.hints.asking);
    this.result.update(state, earlier !== null);
    document.title = title(state);
  }

  /** Creates the table: for a real-time game, a turn-based chess-like game, or Blokus. */
  makeTable() {
    const { RealtimeTable, BlokusTable } = this.parts ?? {};
    if (RealtimeTable) return new RealtimeTable(this.board, this.context.link);
    if (!BlokusTable) return new ChessTable(this.board, this.context.link);
    const table = new BlokusTable(this.board, this.context.link);
    this.panel.rules.root.before(table.rack.root);
    this.root.classList.add("blokus");
    return table;
  }

  /** @param {Command} command */
  send(command) {
    return this.context.link.send(command).catch(showError);
  }

  /** Ends a game that is waiting for players, and leaves it. */
  async cancel() {
    try {
      await this.context.link.send({ t: "abort" });
      this.context.open("/");
    } catch (error) {
      showError(error);
    }
  }

  /** @param {string} text */
  async type(text) {
    this.replay.showLatest();
    this.draw();
    await this.table?.type(text);
  }

  /** Shows or hides a hint. */
  hint() {
    const { state } = this;
    if (!state?.hint) return;
    const ask = () => {
      this.replay.showLatest();
      if (this.state?.hint) this.hints.ask(this.state);
    };
    if (state.rated) confirmUnrated(ask);
    else ask();
  }

  /** Rotates the board to the next seat. */
  flip() {
    this.turns += 1;
    this.draw();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether this page handled it
   */
  key(event) {
    const { replay } = this;
    const { key } = event;
    if (this.table?.key(event) || this.playback.key(event)) return true;
    if (key === "f") this.flip();
    else if (key === "h" && this.state?.hint) this.hint();
    else if (key === "ArrowLeft") replay.step(-1);
    else if (key === "ArrowRight") replay.step(1);
    else if (key === "Home") replay.go(0);
    else if (key === "End") replay.go(Infinity);
    else if (key === "Escape") return this.table?.cancel() ?? false;
    else return false;
    return true;
  }

  close() {
    this.closed = true;
    this.clocks.stop();
    this.playback.stop();
    if (this.table && "close" in this.table) this.table.close();
  }
}

/**
 * @param {GameState} before
 * @param {GameState} now
 */
function sound(before, now) {
  if (now.outcome && !before.outcome) play("end");
  else if (now.moves.length > before.moves.length) play(now.pieces.length < before.pieces.length ? "capture" : "move");
}

/** @param {GameState} state */
function title(state) {
  const names = state.players.map((player) => (player.kind === "open" ? "…" : (player.name ?? "Guest")));
  const turn = state.you.length === 1 && isYourTurn(state) ? "Your turn – " : "";
  return `${turn}${names.join(" – ")} – Fourfold`;
}
