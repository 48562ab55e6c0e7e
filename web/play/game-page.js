// The page of one game.

import { Board } from "../board/board.js";
import { Clocks } from "./clock.js";
import { el } from "../ui/dom.js";
import { Film } from "../realtime/realtime-replay.js";
import { Hints } from "./hints.js";
import { Laying } from "../blokus/blokus-table.js";
import { Live } from "../realtime/realtime-table.js";
import { MoveList, Replay } from "./move-list.js";
import { Panel } from "./panel.js";
import { Place } from "../board/board-frame.js";
import { Playback } from "./playback.js";
import { Players } from "./players.js";
import { Result } from "./result.js";
import { reasonOf } from "../app/connection.js";
import { play } from "../app/sound.js";
import { tell } from "../app/announcements.js";
import { bottomEdge, isYourTurn, wearTints } from "./game-state.js";
import { Table } from "./chess-table.js";
import { notice } from "../ui/toast.js";

/** @import { Command, GameState, Hello, Network } from "../app/protocol.js" */
/** @import { Sender } from "../app/connection.js" */

/**
 * What a page needs from the app.
 * @typedef {object} Around
 * @property {Sender} link
 * @property {() => Hello | null} hello
 * @property {() => Network | null} network
 * @property {(path: string) => void} open
 */

export class GamePage {
  /**
   * @param {string | null} id
   * @param {Around} around
   * @param {string | null} [file] the text of the file that the game comes from
   */
  constructor(id, around, file = null) {
    this.id = id;
    this.file = file;
    this.around = around;
    this.turns = 0;
    this.closed = false;
    /** @type {GameState | null} */
    this.state = null;
    const actions = {
      send: (/** @type {Command} */ command) => this.send(command),
      turnNetwork: (/** @type {boolean} */ open) => around.link.send({ t: "network", open }),
      type: (/** @type {string} */ text) => this.type(text),
      latest: () => this.replay.go(Infinity),
      open: around.open,
      hint: () => this.hint(),
      study: () => around.open(id === null ? "/study?file" : `/study/${id}`),
    };
    this.board = new Board({ interactive: true, name: "Board" });
    /** Created with the first state, which says what is played. @type {Table | Laying | Live | null} */
    this.table = null;
    this.hints = new Hints(this.board, around.link, () => this.draw());
    this.clocks = new Clocks();
    const moves = new Replay(around.link, () => this.draw());
    /** Which position of the game is shown. @type {Replay | Film} */
    this.replay = moves;
    this.list = new MoveList(moves, () => this.flip());
    this.playback = new Playback(
      () => this.replay,
      (moment) => (id === null ? null : `${location.origin}/g/${id}${moment ? `?${moment.join("=")}` : ""}`),
    );
    this.panel = new Panel(actions, this.list.root, this.playback.root, id === null);
    this.result = new Result(actions);
    this.board.over.append(this.result.root);
    this.place = new Place(this.board, new Players(this.clocks));
    this.root = el(
      "main",
      { class: "game", tabindex: "-1" },
      el("h1", { class: "unseen" }, "Game"),
      this.place.root,
      this.panel.root,
    );
  }

  /**
   * @param {GameState} state
   */
  update(state) {
    const before = this.state;
    this.state = state;
    if (!before && state.time) this.replay = new Film(this.file === null ? { game: state.id } : { text: this.file }, () => this.draw());
    this.replay.update(state);
    this.clocks.update(state);
    this.draw();
    if (!before) return this.replay.find(new URLSearchParams(location.search));
    tell(before, state);
    sound(before, state);
    if (state.next && !before.next && state.you.length > 0) this.around.open(`/g/${state.next}`);
    return undefined;
  }

  hello() {
    this.draw();
  }

  draw() {
    const { state, replay } = this;
    if (!state || this.closed) return;
    const bottom = bottomEdge(state, this.turns);
    const earlier = replay.ply === null ? null : replay.position;
    wearTints(this.root, state);
    this.table ??= this.makeTable(state);
    this.table.show(state, earlier, bottom);
    this.hints.draw(state, earlier !== null, this.table);
    this.place.update(state, earlier ?? state, bottom);
    this.list.update(state);
    this.playback.update(state);
    this.panel.update(state, this.around, earlier !== null, this.hints.asking);
    this.result.update(state, earlier !== null);
    document.title = title(state);
  }

  /**
   * Creates the table: for a real-time game, for a chess-like game with turns, or for Blokus.
   * @param {GameState} state
   */
  makeTable(state) {
    if (state.time) return new Live(this.board, this.around.link);
    if (state.colors.length === 0) return new Table(this.board, this.around.link);
    const laying = new Laying(this.board, this.around.link);
    this.panel.record.before(laying.rack.root);
    this.root.classList.add("laying");
    return laying;
  }

  /** @param {Command} command */
  async send(command) {
    try {
      await this.around.link.send(command);
    } catch (error) {
      notice(reasonOf(error));
    }
  }

  /** @param {string} text */
  async type(text) {
    this.replay.leave();
    this.draw();
    await this.table?.type(text);
  }

  /** Shows or hides a hint. */
  hint() {
    if (!this.state?.hint) return;
    this.replay.leave();
    this.hints.ask(this.state);
  }

  /** Turns the board to the next seat. */
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
    if (this.table instanceof Live) this.table.close();
  }
}

/**
 * @param {GameState} before
 * @param {GameState} now
 */
function sound(before, now) {
  if (now.outcome && !before.outcome) play("end");
  else if (now.moves.length > before.moves.length) play(now.men.length < before.men.length ? "take" : "move");
}

/** @param {GameState} state */
function title(state) {
  const names = state.players.map((player) => (player.kind === "open" ? "…" : (player.name ?? "Guest")));
  const turn = state.you.length === 1 && isYourTurn(state) ? "Your turn – " : "";
  return `${turn}${names.join(" – ")} – Fourfold`;
}
