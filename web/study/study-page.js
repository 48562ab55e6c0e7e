// The study board: a position in a tree of moves, with facts, an engine, and the graph of the line.

import { Board } from "../board/board.js";
import { button, el, write } from "../ui/dom.js";
import { Editor } from "./position-editor.js";
import { Engine } from "./engine-panel.js";
import { openLoader, openSharing } from "./dialogs.js";
import { FactPanel } from "./fact-panel.js";
import { heldText } from "../lobby/game-files.js";
import { Graph } from "./graph.js";
import { Judge } from "./mistakes.js";
import { capital } from "../app/names.js";
import { Overlays } from "./fact-overlays.js";
import { read, store } from "../app/preferences.js";
import * as questions from "../app/requests.js";
import { reasonOf } from "../app/connection.js";
import { play } from "../app/sound.js";
import { say } from "../app/announcements.js";
import { bottomEdge, wearTints } from "../play/game-state.js";
import { statusText } from "../play/status.js";
import { Table } from "../play/chess-table.js";
import { Thoughts } from "./evaluations.js";
import { notice } from "../ui/toast.js";
import { Tree } from "./tree.js";
import { Variations } from "./variations.js";

/** @import { Command, GameState, Move } from "../app/protocol.js" */
/** @import { Look, Series, WireTree } from "../app/requests.js" */
/** @import { Node } from "./tree.js" */

/** How many changes can be undone. */
const REMEMBERED = 50;

export class StudyPage {
  /** @param {string | null} game the id of an arena game to start with */
  constructor(game) {
    /** This page does not watch a game. @type {string | null} */
    this.id = null;
    this.game = game;
    /** Where this browser stores it: the study of a game does not replace the other one. */
    this.slot = game ? "study.game" : "study";
    this.tree = new Tree();
    this.turns = 0;
    this.closed = false;
    this.editing = false;
    this.asking = false;
    /** @type {WeakMap<Node, Look>} */
    this.known = new WeakMap();
    /** The position on the board. @type {Look | null} */
    this.look = null;
    /** @type {Series[]} */
    this.series = [];
    /** The line of `series`. */
    this.charted = "";
    /** Earlier versions of the study, as text. @type {string[]} */
    this.before = [];
    this.board = new Board({ interactive: true, name: "Study board" });
    this.table = new Table(this.board, { send: (command) => this.carryOut(command) });
    this.overlays = new Overlays(this.board);
    this.facts = new FactPanel(() => this.draw());
    const thoughts = new Thoughts();
    this.engine = new Engine(thoughts, {
      play: (moves) => this.playOn(moves),
      point: (move) => this.board.ink.suggest(move && { from: move.code.slice(0, 2), to: move.code.slice(2, 4) }),
      changed: () => this.draw(),
    });
    this.judge = new Judge(thoughts, () => this.drawGraph());
    this.graph = new Graph((ply) => this.go(ply === 0 ? this.tree.root : (this.tree.line()[ply - 1] ?? null)), this.judge);
    this.list = new Variations({
      go: (node) => this.go(node),
      flip: () => this.flip(),
      promote: () => this.change(() => this.tree.promote()),
      remove: () => this.change(() => this.tree.remove()),
    });
    this.editor = new Editor(
      (fen) => this.load(fen, true),
      () => this.edit(false),
    );
    this.title = el("h1", { class: "study-title" }, "Study");
    this.status = el("p", { class: "status" });
    this.undo = button("Undo", () => this.back(), "button small");
    const tools = el(
      "div",
      { class: "actions tools-line" },
      button("Load…", () => openLoader((text) => this.load(text)), "button small"),
      button("Set up", () => this.edit(true), "button small"),
      button("Share…", () => this.share(), "button small"),
      button("New", () => this.replace(new Tree().wire()), "button small"),
      this.undo,
    );
    this.panel = el("section", { class: "panel", "aria-label": "Moves and tools" }, this.title, this.status, this.engine.root, this.list.root, tools);
    this.beside = el("div", { class: "beside-board" }, this.engine.bar, this.board.root);
    this.place = el("div", { class: "place" }, this.beside, this.graph.root);
    this.root = el("main", { class: "study", tabindex: "-1" }, this.facts.root, this.place, this.panel);
    this.leaving = new AbortController();
    addEventListener("keydown", (event) => this.chord(event), { signal: this.leaving.signal });
    this.begin();
  }

  // Loading and sharing

  async begin() {
    this.offerFacts();
    const words = new URLSearchParams(location.search);
    const [fen, file] = [words.get("fen"), heldText()];
    const kept = read(this.slot) ?? "";
    const [source, text] = [kept.slice(0, kept.indexOf(" ")), kept.slice(kept.indexOf(" ") + 1)];
    try {
      if (words.has("file") && file !== null) {
        this.tree = Tree.restored(text) ?? this.tree;
        history.replaceState(null, "", "/study");
        await this.load(file);
      } else if (fen !== null) {
        this.tree = Tree.restored(text) ?? this.tree;
        history.replaceState(null, "", "/study");
        await this.load(fen);
      } else if (this.game && source !== this.game) {
        this.replace(await questions.openGame(this.game), true);
      } else {
        this.tree = Tree.restored(text) ?? this.tree;
        this.show();
      }
    } catch (error) {
      notice(reasonOf(error));
      this.show();
    }
  }

  async offerFacts() {
    try {
      this.facts.offer(await questions.facts());
      this.draw();
    } catch (error) {
      notice(reasonOf(error));
    }
  }

  /**
   * Starts from a FEN or a PGN.
   * @param {string} text
   * @param {boolean} [setUp] whether it was set up by hand
   * @returns {Promise<void>} rejected with the reason if it is neither
   */
  async load(text, setUp = false) {
    const tree = await questions.readText(text);
    this.replace(tree);
    if (tree.more > 0) notice(`This is the first of ${tree.more + 1} games in the text`);
    else if (setUp) say("Position set up");
    else say(tree.nodes.length > 0 ? `Loaded, ${tree.nodes.length} moves` : "Position loaded");
  }

  /**
   * Replaces the study; this can be undone.
   * @param {WireTree} wire
   * @param {boolean} [first] whether there was no study before
   */
  replace({ start, tags, comments, nodes, result }, first = false) {
    if (!first) this.remember();
    this.tree = new Tree({ start, tags, comments, nodes, result });
    this.edit(false);
    this.show();
  }

  async share() {
    try {
      const pgn = await questions.writeTree(this.tree.wire());
      if (this.look) openSharing(this.look.fen, pgn);
    } catch (error) {
      notice(reasonOf(error));
    }
  }

  // Undo

  remember() {
    this.before.push(this.tree.stored());
    if (this.before.length > REMEMBERED) this.before.shift();
  }

  /** Undoes the last change to the tree. */
  back() {
    const tree = Tree.restored(this.before.pop() ?? null);
    if (!tree) return;
    this.tree = tree;
    this.edit(false);
    this.show();
    say("Undone");
  }

  /** @param {() => void} act something that changes the tree */
  change(act) {
    this.remember();
    act();
    this.show();
  }

  keep() {
    store(this.slot, `${this.game ?? ""} ${this.tree.stored()}`);
  }

  // Navigation

  /** Shows a new or changed tree. */
  show() {
    this.list.draw(this.tree);
    this.keep();
    this.ask();
  }

  /** @param {Node | null} node */
  go(node) {
    if (!node || node === this.tree.at) return;
    this.tree.go(node);
    this.table.picked = null;
    this.ask();
  }

  /** Requests the current position, one at a time, so that a held key does not flood the server. */
  async ask() {
    if (this.asking) return;
    this.asking = true;
    const from = this.look;
    while (!this.known.has(this.tree.at) && !this.closed) {
      const { tree } = this;
      const { at } = tree;
      try {
        this.known.set(at, await questions.look(tree.start, codes(tree.path(at))));
      } catch (error) {
        notice(reasonOf(error));
        if (tree !== this.tree || at !== tree.at) continue;
        if (!at.parent || !this.known.has(at.parent)) break;
        tree.go(at.parent);
      }
    }
    this.asking = false;
    if (this.closed) return;
    this.look = this.known.get(this.tree.at) ?? this.look;
    this.keep();
    this.draw();
    this.chart();
    const { look } = this;
    const move = look?.moves.at(-1);
    if (from && look && from !== look) say(move ? `After ${move.number}, ${move.text}` : "First position");
  }

  /** Requests the facts along the line, if the line has changed. */
  async chart() {
    const { tree } = this;
    const moves = codes(tree.line());
    const line = [tree.start, ...moves].join(" ");
    if (line === this.charted) return;
    this.charted = line;
    try {
      const series = await questions.series(tree.start, moves);
      if (line === this.charted) this.series = series;
    } catch {
      if (line === this.charted) [this.series, this.charted] = [[], ""];
    }
    if (!this.closed) this.draw();
  }

  /**
   * Executes a command from the table: a move.
   * @param {Command} command
   */
  async carryOut(command) {
    if (command.t !== "move") return;
    const { tree } = this;
    const { at } = tree;
    const look = await questions.look(tree.start, [...codes(tree.path(at)), command.move]);
    const move = look.moves.at(-1);
    if (!move || tree !== this.tree || at !== tree.at) return;
    const fresh = !at.children.some(({ code }) => code === move.code);
    if (fresh) this.remember();
    const node = tree.add(move);
    this.known.set(node, look);
    play(look.men.length < (this.look?.men.length ?? 0) ? "take" : "move");
    tree.go(node);
    if (fresh) this.list.draw(tree);
    this.ask();
  }

  /**
   * Adds the moves of a line to the tree, and goes to the last.
   * @param {Move[]} moves
   */
  playOn(moves) {
    const { tree } = this;
    this.remember();
    for (const move of moves) tree.go(tree.add(move));
    this.table.picked = null;
    this.show();
  }

  // Drawing

  draw() {
    const { look, tree } = this;
    if (!look || this.closed) return;
    const state = gameState(look);
    const bottom = bottomEdge(state, this.turns);
    wearTints(this.root, state);
    this.table.show(state, null, bottom);
    this.place.style.setProperty("--columns", String(this.board.view?.columns ?? 8));
    this.place.style.setProperty("--rows", String(this.board.view?.rows ?? 8));
    this.overlays.draw(look, this.facts.shown);
    this.facts.update(look);
    this.list.update(tree);
    this.judge.follow(tree.start, tree.line());
    this.drawGraph();
    this.root.classList.toggle("with-bar", this.engine.on);
    if (!this.editing) this.engine.show(tree.start, codes(tree.path(tree.at)), bottom);
    write(this.title, titleOf(tree));
    write(this.status, statusText(state));
    this.undo.disabled = this.before.length === 0;
    document.title = `${titleOf(tree)} – Fourfold`;
  }

  drawGraph() {
    const { tree } = this;
    if (this.closed) return;
    this.graph.show(this.series, words(tree.line()), tree.ply);
    this.list.judge(this.judge.verdicts);
  }

  flip() {
    this.turns += 1;
    this.draw();
    if (this.look) this.editor.turn(bottomEdge(gameState(this.look), this.turns));
  }

  /** @param {boolean} on whether to show the position editor */
  edit(on) {
    const { look } = this;
    if (on === this.editing || (on && !look)) return;
    this.editing = on;
    this.root.classList.toggle("editing", on);
    if (on && look) {
      const [, turn = "w", castling = ""] = look.fen.split(" ");
      this.editor.open(look.board, bottomEdge(gameState(look), this.turns), look.men, turn === "w" ? 0 : 1, castling.replace("-", ""));
      this.place.replaceChildren(this.editor.board.root);
      this.panel.replaceWith(this.editor.root);
      this.engine.rest();
    } else {
      this.place.replaceChildren(this.beside, this.graph.root);
      this.editor.root.replaceWith(this.panel);
      this.draw();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether this page handled it
   */
  key(event) {
    const { tree } = this;
    if (event.key === "f") return this.flip(), true;
    if (this.editing) return this.editor.key(event);
    if (this.facts.key(event.key) || this.engine.key(event.key) || this.judge.key(event.key)) return true;
    if (event.key === "Escape") return this.table.cancel();
    /** @type {Record<string, () => Node | null>} */
    const ways = {
      ArrowLeft: () => tree.back(),
      ArrowRight: () => tree.forth(),
      ArrowUp: () => tree.beside(-1),
      ArrowDown: () => tree.beside(1),
      Home: () => tree.root,
      End: () => tree.end(),
    };
    const way = ways[event.key];
    if (way) this.go(way());
    return Boolean(way);
  }

  /** @param {KeyboardEvent} event */
  chord(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || target.closest("input, textarea, dialog")) return;
    event.preventDefault();
    this.back();
  }

  hello() {}

  update() {}

  close() {
    this.closed = true;
    this.leaving.abort();
    this.engine.rest();
    this.judge.rest();
  }
}

/** @param {Node[]} nodes */
function codes(nodes) {
  return nodes.map(({ code }) => code);
}

/**
 * Returns the start and every move as text.
 * @param {Node[]} line
 */
function words(line) {
  return ["Start", ...line.map(({ number, seat, text }) => `${number}${seat === 0 ? "." : "…"} ${text}`)];
}

/** @param {Tree} tree */
function titleOf(tree) {
  const names = ["White", "Black"].map((tag) => tree.tag(tag)).map((name) => (name === "?" ? "" : name));
  if (!names.some(Boolean)) return "Study";
  const result = tree.result === "*" ? "" : `, ${tree.result.replaceAll("1/2", "½").replace("-", "–")}`;
  return names.map((name) => name || "?").join(" – ") + result;
}

/**
 * Returns a position as a game on one screen, in which both sides are yours.
 * @param {Look} look
 * @returns {GameState}
 */
function gameState(look) {
  const { fen, board, seats, tints, men, trays, last_move, check, acting, outcome, moves, choices } = look;
  return {
    seq: 0, id: `${fen} ${moves.length}`, game: "chess", board, seats, tints, men, trays, last_move, check, acting, outcome, moves, choices,
    players: seats.map(({ name }) => ({ kind: /** @type {const} */ ("guest"), name: capital(name), here: true })), you: seats.map((_, seat) => seat),
    teams: [], out: [], scores: [], colors: [], shapes: [], claim: null, clock: null, draw: null, agreed: [],
    rematch: [], next: null, stored: true, watchers: 0, rated: false, ratings: [], takeback: false, hint: false,
  };
}
