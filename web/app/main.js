// The app: selects the page to show, and handles messages from the server.

import { filePage, install as installFiles, openFile } from "../lobby/game-files.js";
import { LandingPage } from "../lobby/landing-page.js";
import { GamePage } from "../play/game-page.js";
import { applyDelta } from "../play/game-state.js";
import { el, svg } from "../ui/dom.js";
import { loadSheet } from "../ui/load-sheet.js";
import * as toast from "../ui/toast.js";
import * as speech from "./announcements.js";
import { Connection, Refused } from "./connection.js";
import { Header, showHelp } from "./header.js";
import { sentence } from "./names.js";
import { Page } from "./page.js";
import { VERSION } from "./protocol.js";
import * as sound from "./sound.js";
import * as theme from "./theme.js";

/** @import { AppContext } from "../play/game-page.js" */
/** @import { Delta, GameState, Hello, Lobby, Network } from "./protocol.js" */

/**
 * A page that is loaded on demand; `make` is known once it is.
 * @typedef {object} LazyPage
 * @property {string} name
 * @property {RegExp} path
 * @property {string[]} sheets
 * @property {() => Promise<(context: AppContext, part: string | null) => Page & {root: HTMLElement}>} load
 * @property {(context: AppContext, part: string | null) => Page & {root: HTMLElement}} [make]
 */

/** @type {LazyPage[]} */
const LAZY_PAGES = [
  {
    name: "lobby",
    path: /^\/lobby$/,
    sheets: [],
    load: async () => {
      const { LobbyPage } = await import("../lobby/lobby-page.js");
      return (context) => new LobbyPage(context);
    },
  },
  {
    name: "list of your games",
    path: /^\/you$/,
    sheets: [],
    load: async () => {
      const { HistoryPage } = await import("../lobby/history-page.js");
      return (context) => new HistoryPage(context);
    },
  },
  {
    name: "study board",
    path: /^\/study(?:\/([^/]+))?$/,
    sheets: ["study/study.css", "study/facts.css", "study/engine.css"],
    load: async () => {
      const { StudyPage } = await import("../study/study-page.js");
      return (context, game) => new StudyPage(game, context);
    },
  },
  {
    name: "inspector",
    path: /^\/environments$/,
    sheets: ["inspector/inspector.css", "inspector/planes.css", "blokus/blokus.css", "realtime/realtime.css"],
    load: async () => {
      const { InspectorPage } = await import("../inspector/inspector-page.js");
      return (context) => new InspectorPage(context);
    },
  },
  {
    // Every other address.
    name: "page",
    path: /^\/(?!$|replay$|g\/[^/]+$)/,
    sheets: ["app/missing.css"],
    load: async () => {
      const { MissingPage } = await import("./missing-page.js");
      return (context) => new MissingPage(context);
    },
  },
];

class App {
  constructor() {
    this.connection = new Connection({
      hello: (hello) => this.onHello(hello),
      state: (state) => this.onState(state),
      delta: (delta) => this.onDelta(delta),
      notice: (text) => toast.showWarning(text),
      lobby: (lobby) => this.page.lobby?.(lobby),
      chat: (message) => this.page.onChat(message),
      network: (network) => this.onNetwork(network),
      awake: () => this.state && this.sync(),
      lost: (why) => toast.showBanner(`${sentence(why ?? "connection lost")} Reconnecting…`),
      over: (why) => toast.showBanner(sentence(why), true),
    });
    /** @type {Hello | null} */
    this.hello = null;
    /** Who can reach the server. @type {Network | null} */
    this.network = null;
    /** The game that is watched. @type {GameState | null} */
    this.state = null;
    this.syncing = false;
    /** @type {AppContext} */
    this.context = { link: this.connection, hello: () => this.hello, network: () => this.network, open: (path) => this.open(path) };
    this.header = new Header(this.context, (name) => this.rename(name));
    /** Whether the page is subscribed to the lobby. */
    this.subscribed = false;
    /** @type {Page & {root: HTMLElement, lobby?: (lobby: Lobby) => void, openText?: (text: string) => Promise<void>}} */
    this.page = this.makePage();
    addEventListener("popstate", () => this.showPage());
    addEventListener("keydown", (event) => this.key(event));
    installFiles(() => this.fileHandler());
  }

  start() {
    document.querySelector(".loading")?.remove();
    document.body.append(this.header.root, this.page.root);
    this.connection.connect();
  }

  makePage() {
    for (const lazy of LAZY_PAGES) {
      const [path, part] = lazy.path.exec(location.pathname) ?? [];
      if (path && lazy.make) return lazy.make(this.context, part ?? null);
      if (path) {
        this.load(lazy);
        return new LoadingPage();
      }
    }
    if (location.pathname === "/replay") return filePage(this.context);
    const game = /^\/g\/([^/]+)$/.exec(location.pathname)?.[1];
    return game ? new GamePage(game, this.context) : new LandingPage(this.context);
  }

  /** Returns the handler for a file that is dropped or pasted; null during your own game. */
  fileHandler() {
    const { page } = this;
    if (page.openText) return page.openText.bind(page);
    const playing = page instanceof GamePage && page.state && !page.state.outcome && page.state.you.length > 0;
    return playing ? null : (/** @type {string} */ text) => openFile(text, this.context);
  }

  /** @param {LazyPage} lazy */
  async load(lazy) {
    try {
      [lazy.make] = await Promise.all([lazy.load(), ...lazy.sheets.map(loadSheet)]);
      if (this.page instanceof LoadingPage) this.showPage();
    } catch {
      toast.showBanner(`The ${lazy.name} could not be loaded.`, true);
    }
  }

  /** @param {string} path */
  open(path) {
    if (path !== location.pathname + location.search) history.pushState(null, "", path);
    this.showPage();
    scrollTo(0, 0);
  }

  /** Shows the page for the URL. */
  showPage() {
    this.page.close();
    const page = this.makePage();
    this.page.root.replaceWith(page.root);
    this.page = page;
    page.root.focus({ preventScroll: true }); // The focused element is gone.
    this.watch();
  }

  async watch() {
    const { page } = this;
    if (!this.hello) return;
    this.subscribeToLobby("lobby" in page);
    if (page.id === null) return this.leave();
    try {
      await this.connection.send({ t: "watch", game: page.id });
    } catch (error) {
      if (error instanceof Refused && page === this.page && page instanceof GamePage) this.showMissing(error.message);
    }
  }

  /**
   * Subscribes to the lobby where it is shown; the server answers each time with the whole lobby.
   * @param {boolean} listen
   */
  subscribeToLobby(listen) {
    if (!listen && !this.subscribed) return;
    this.subscribed = listen;
    this.connection.send({ t: "lobby", listen }).catch(() => {}); // Sent again after the next `hello`.
  }

  /** Stops watching a game. */
  leave() {
    if (!this.state) return;
    this.state = null;
    this.connection.send({ t: "leave" }).catch(() => {}); // Without a connection nothing is watched anyway.
  }

  /** @param {Hello} hello */
  onHello(hello) {
    if (hello.v !== VERSION) return toast.showBanner("This page is outdated. Reload it.", true);
    this.hello = hello;
    toast.showBanner(null);
    this.header.update(hello.name);
    this.page.hello();
    return this.watch();
  }

  /** @param {Network} network */
  onNetwork(network) {
    this.network = network;
    if (this.page instanceof GamePage) this.page.draw();
  }

  /** @param {GameState} state */
  onState(state) {
    this.state = state;
    this.syncing = false;
    if (state.id === this.page.id) this.page.update(state);
  }

  /** @param {Delta} delta */
  onDelta(delta) {
    if (!this.state || delta.seq <= this.state.seq) return;
    const state = applyDelta(this.state, delta);
    if (state) this.onState(state);
    else this.sync();
  }

  /** Asks for the whole state, for example after a missed delta. */
  sync() {
    if (this.syncing) return;
    this.syncing = true;
    this.connection.send({ t: "sync" }).catch(() => (this.syncing = false));
  }

  /** @param {string} name */
  async rename(name) {
    await this.connection.send({ t: "name", name });
    if (this.hello) this.hello.name = name;
  }

  /**
   * Shows that there is no such game.
   * @param {string} why
   */
  async showMissing(why) {
    const { page } = this;
    const [{ missing }] = await Promise.all([import("./missing-page.js"), loadSheet("app/missing.css")]);
    if (page !== this.page) return;
    document.title = "Game not found – Fourfold";
    page.root.replaceChildren(missing(this.context, "Game not found", sentence(why)));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    // A dialog that was just closed keeps the focus for a moment.
    if (target.closest("input, textarea, select, dialog[open]")) return;
    if (event.key === "?") showHelp();
    else if (event.key === "m") this.header.mute();
    else if (!this.page.key(event)) return;
    event.preventDefault();
  }
}

/** A placeholder until a page is loaded. */
class LoadingPage extends Page {
  root = el("main", { tabindex: "-1" });
}

/** Adds the piece set to the document, where `<use>` can find it. */
async function loadPieces() {
  const response = await fetch("/pieces.svg");
  if (!response.ok) throw new Error(response.statusText);
  const text = await response.text();
  const symbols = new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("symbol");
  const sprite = svg(
    "svg",
    { class: "visually-hidden", "aria-hidden": "true" },
    ...[...symbols].map((symbol) => document.importNode(symbol, true)),
  );
  document.body.prepend(sprite);
}

theme.install();
sound.install();
speech.install();
toast.install();
loadPieces().catch(() => toast.showBanner("The pieces could not be loaded.", true));
new App().start();
