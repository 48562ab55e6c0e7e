// The connection to the server: numbers commands, delivers their answers, and reconnects.

import { VERSION } from "./protocol.js";

/** @import { ChatMessage, Command, Delta, GameState, Hello, Lobby, Message, Network, Ok } from "./protocol.js" */

/**
 * @typedef {object} Listener
 * @property {(hello: Hello) => void} hello
 * @property {(state: GameState) => void} state
 * @property {(delta: Delta) => void} delta
 * @property {(text: string | null) => void} notice games are not being saved, or null if they are again
 * @property {(lobby: Lobby) => void} lobby
 * @property {(message: ChatMessage) => void} chat
 * @property {(network: Network) => void} network
 * @property {() => void} awake the page was in the background or offline: its state may be stale
 * @property {(why: string | null) => void} lost the connection was lost or refused; it will be tried again
 * @property {(why: string) => void} over the connection was closed for good
 */

/** What executes commands: the connection, or a stand-in for it. @typedef {{send: (command: Command) => Promise<Ok>}} Sender */

/** The error of a refused command, with the server's reason. */
export class Refused extends Error {}
/** The error of a command whose connection was lost before the answer. */
export class Disconnected extends Error {}

/**
 * Returns a readable reason why a command failed.
 * @param {unknown} error
 * @returns {string}
 */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** How long an answer may take before the connection counts as dead, in milliseconds. */
const ANSWER_TIMEOUT = 12_000;
/** The statuses with which the server refuses a socket and gives a reason. */
const REFUSALS = [401, 403, 429, 503];
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

export class Connection {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    this.number = 0;
    this.wait = FIRST_WAIT;
    this.timer = 0;
    this.mayReconnect = true;
    /** Why the server refused the connection, if it said so. @type {string | null} */
    this.why = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<number, {resolve: (ok: Ok) => void, reject: (why: Error) => void, timer: number}>} */
    this.waiting = new Map();
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.reconnectNow();
    });
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = `/ws?v=${VERSION}`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this.socket = socket;
    let opened = false;
    socket.addEventListener("open", () => (opened = true));
    socket.addEventListener("message", (event) => {
      if (this.socket === socket) this.onMessage(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (this.socket !== socket) return;
      this.onClose();
      if (!opened) void this.explain(path);
    });
  }

  /**
   * Asks why the socket was refused, which the browser does not say.
   * @param {string} path
   */
  async explain(path) {
    const answer = await fetch(path).catch(() => null);
    if (answer === null || !REFUSALS.includes(answer.status)) return;
    const why = await answer.text().catch(() => null);
    if (!why || !this.mayReconnect || this.socket?.readyState === WebSocket.OPEN) return;
    this.why = why.trim();
    this.listener.lost(this.why);
  }

  /**
   * Sends a command.
   * @param {Command} command
   * @returns {Promise<Ok>} rejected with `Refused` or `Disconnected`
   */
  send(command) {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Disconnected("not connected"));
    const n = ++this.number;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.drop(socket), ANSWER_TIMEOUT);
      this.waiting.set(n, { resolve, reject, timer });
      socket.send(JSON.stringify({ ...command, n }));
    });
  }

  /** @param {Message} message */
  onMessage(message) {
    switch (message.t) {
      case "ok":
        return this.answer(message.n)?.resolve(message);
      case "no":
        return message.n === null ? undefined : this.answer(message.n)?.reject(new Refused(message.why));
      case "hello":
        this.wait = FIRST_WAIT;
        this.why = null;
        // A server that is saving games sends no notice to a new connection.
        this.listener.notice(null);
        return this.listener.hello(message);
      case "notice":
        return this.listener.notice(message.text);
      case "state":
      case "delta":
      case "lobby":
      case "chat":
      case "network":
        return this.listener[message.t](/** @type {any} */ (message));
      case "bye":
        this.mayReconnect = message.retry;
        this.why = message.why;
        if (!message.retry) this.listener.over(message.why);
        return undefined;
      default:
        return undefined;
    }
  }

  /** @param {number} n */
  answer(n) {
    const waiting = this.waiting.get(n);
    clearTimeout(waiting?.timer);
    this.waiting.delete(n);
    return waiting;
  }

  onClose() {
    this.socket = null;
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Disconnected("the connection was lost"));
    }
    this.waiting.clear();
    if (!this.mayReconnect) return;
    this.listener.lost(this.why);
    const jitter = 0.7 + 0.6 * Math.random();
    this.timer = setTimeout(() => this.connect(), this.wait * jitter);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  /**
   * Drops a connection that is open but does not answer.
   * @param {WebSocket} socket
   */
  drop(socket) {
    if (this.socket !== socket) return;
    socket.close();
    this.onClose();
  }

  /** Reconnects now instead of later; an open connection is checked. */
  reconnectNow() {
    if (this.socket?.readyState === WebSocket.OPEN) this.listener.awake();
    if (this.socket || !this.mayReconnect) return;
    this.wait = FIRST_WAIT;
    this.connect();
  }
}
