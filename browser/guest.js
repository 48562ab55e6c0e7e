// A guest on a page: drives the browser, and checks what the page shows.

import assert from "node:assert/strict";

import { eventually } from "./harness.js";

export class Guest {
  /**
   * @param {import("playwright-core").Page} page
   * @param {string} origin
   */
  constructor(page, origin) {
    this.page = page;
    this.origin = origin;
    /** Errors on the page. @type {string[]} */
    this.errors = [];
    /** Errors that a test causes itself. @type {RegExp | null} */
    this.expected = null;
    page.on("console", (message) => message.type() === "error" && this.errors.push(`console: ${message.text()} ${message.location().url}`));
    page.on("pageerror", (error) => this.errors.push(`page: ${error.stack ?? error}`));
    page.on("request", (request) => this.notice(request.url()));
    page.on("websocket", (socket) => this.notice(socket.url().replace(/^ws/, "http")));
    page.on("response", (response) => response.status() >= 400 && this.errors.push(`${response.status()}: ${response.url()}`));
  }

  /** @param {string} url */
  notice(url) {
    if (new URL(url).origin !== this.origin && !url.startsWith("data:")) this.errors.push(`foreign request: ${url}`);
  }

  assertClean() {
    assert.deepEqual(this.errors.filter((error) => !this.expected?.test(error)), []);
  }

  // Opening and creating games

  async open(path = "/") {
    await this.page.goto(this.origin + path);
  }

  get id() {
    return /\/g\/([^/?]+)(\?.*)?$/.exec(this.page.url())?.[1];
  }

  /**
   * Creates a game on the home page.
   * @param {"bot" | "friend" | "self"} opponent
   * @param {{game?: string, bot?: string, seat?: string, clock?: string, speed?: string, players?: string, rating?: string}} [options]
   */
  async create(opponent, { game = "Chess", bot, seat, clock, speed, players, rating } = {}) {
    await this.open();
    const card = await this.chooseKind(game);
    if (bot || seat || clock || speed || players || rating) await this.openOptions(game);
    for (const [group, choice] of [["Opponent", bot], ["Your side", seat], ["Clock", clock], ["Speed", speed], ["Players", players], ["Mode", rating]]) {
      if (choice) await card.getByRole("group", { name: group }).getByRole("radio", { name: choice, exact: true }).check();
    }
    const name = { bot: new RegExp(`^Play ${game}$`, "i"), friend: /^Play (a friend|friends)$/, self: /^(Two|All) players, same screen$/ }[opponent];
    await card.getByRole("button", { name, exact: true }).click();
    await this.page.waitForURL(/\/g\//);
    await this.ready();
  }

  /**
   * Creates a game with a raw command, with rules that the page does not offer, and opens it.
   * @param {{game: string, rules: string | undefined, opponent: unknown, seat: number, listed?: boolean, casual?: boolean, clock?: unknown}} options
   */
  async make(options) {
    await this.open();
    const [answer] = await this.raw([{ t: "create", ...options }]);
    assert.equal(answer.t, "ok", answer.why);
    await this.open(`/g/${answer.game}`);
    await this.ready();
  }

  /** Waits until time runs in a real-time game. */
  async begins() {
    await this.page.locator(".panel.realtime").waitFor();
    await this.status("Game in progress");
    await this.page.locator(".countdown").waitFor({ state: "hidden" });
  }

  /**
   * A game on the home page.
   * @param {string} game
   */
  kind(game) {
    return this.page.getByRole("region", { name: game, exact: true });
  }

  /** @param {string} game */
  async chooseKind(game) {
    await this.page.locator(".kind").first().waitFor({ state: "attached" });
    const variant = this.page.getByRole("radio", { name: new RegExp(`: ${game}$`) });
    if ((await variant.count()) > 0) await variant.check();
    await this.kind(game).waitFor();
    return this.kind(game);
  }

  /** @param {string} game */
  async openOptions(game) {
    const card = await this.chooseKind(game);
    const options = card.locator("details");
    if (!(await options.getAttribute("open").then((open) => open !== null))) await options.locator("summary").click();
  }

  /** Waits until the game is shown. */
  async ready() {
    await this.page.locator("[role=grid] [data-square]").first().waitFor();
    await this.page.locator(".status:not(:empty)").waitFor();
  }

  /** A button by its exact accessible name, or by a pattern. @param {string | RegExp} name */
  button(name) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** @param {string | RegExp} name */
  press(name) {
    return this.button(name).first().click();
  }

  /** Another window of the same guest. */
  async window() {
    return new Guest(await this.page.context().newPage(), this.origin);
  }

  // The board

  /** @param {string} name */
  square(name) {
    return this.page.locator(`[role=grid] [data-square="${name}"]`);
  }

  /**
   * What a screen reader says about a square: `e2, white pawn, can move`.
   * @param {string} name
   */
  label(name) {
    return this.square(name).getAttribute("aria-label");
  }

  /**
   * @param {string} name
   * @param {string} piece `white pawn`, or `empty`
   */
  async sees(name, piece) {
    await eventually(async () => assert.match((await this.label(name)) ?? "", new RegExp(`^${name}, ${piece}(,|$)`)));
  }

  /**
   * Plans a move of a piece in flight or at rest; a click that comes before the piece arrives is repeated.
   * @param {string} from
   * @param {string} to
   */
  async plans(from, to) {
    await eventually(async () => {
      if ((await this.marked("premove")).length === 0) await this.click(from, to);
      assert.deepEqual((await this.marked("premove")).sort(), [from, to]);
    });
  }

  /** The whole board as text, for comparisons. */
  async board() {
    const labels = await this.page.locator("[role=grid] [data-square]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
    return labels.map((label) => label?.split(", ").slice(0, 2).join(" ")).sort();
  }

  /**
   * The center of a square in the window.
   * @param {string} name
   */
  async middle(name) {
    const box = await this.square(name).boundingBox();
    assert.ok(box, `${name} is on the page`);
    return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {"left" | "right"} [button]
   */
  async drag(from, to, button = "left") {
    for (const name of [from, to]) await this.square(name).scrollIntoViewIfNeeded();
    const [start, end] = [await this.middle(from), await this.middle(to)];
    const { mouse } = this.page;
    await mouse.move(start.x, start.y);
    await mouse.down({ button });
    await mouse.move(end.x, end.y, { steps: 4 });
    await mouse.up({ button });
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  async click(from, to) {
    await this.square(from).click();
    await this.square(to).click();
  }

  /** The squares with a mark. @param {string} mark */
  marked(mark) {
    return this.page.locator(`[role=grid] .cell.${mark}`).evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-square")));
  }

  /**
   * Waits until a piece is drawn on a square.
   * @param {string} name
   */
  async pieceIsDrawnOn(name) {
    await eventually(async () => {
      const { x, y, width } = await this.middle(name);
      const drawn = await this.page.locator(".board .piece-image").evaluateAll((pieces) =>
        pieces.map((piece) => piece.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2]),
      );
      assert.ok(drawn.some(([left, top]) => Math.hypot(left - x, top - y) < width / 10), `a piece is on ${name}`);
    });
  }

  /**
   * Does something that shows a short note on the board, and waits for the note.
   * @param {RegExp} text
   * @param {() => Promise<void>} act
   */
  async notes(text, act) {
    const noted = this.page.locator(".note", { hasText: text }).waitFor();
    await Promise.all([noted, act()]);
  }

  // Blokus pieces

  /** Picks a piece from the rack. @param {string} name */
  async pick(name) {
    await this.page.getByRole("group", { name: /pieces, \d+ left$/ }).getByRole("button", { name, exact: true }).click();
  }

  /** Holds the pointer over a square. @param {string} square */
  async point(square) {
    await this.square(square).scrollIntoViewIfNeeded();
    const { x, y } = await this.middle(square);
    await this.page.mouse.move(x, y);
  }

  /** The held piece as it is drawn. */
  heldPiece() {
    return this.page.locator(".held-piece");
  }

  /** @param {"fits" | "wrong" | "plan" | "sent"} verdict */
  async heldPieceIs(verdict) {
    await eventually(async () => assert.match((await this.heldPiece().getAttribute("class")) ?? "", new RegExp(`\\b${verdict}\\b`)));
  }

  /**
   * Places pieces with raw commands whenever possible, until there are `until` moves or the game is over.
   * @param {number} [until]
   */
  async placeMany(until = 1000) {
    const script = async (/** @type {{until: number, game: string}} */ { until, game }) => {
      const socket = new WebSocket(`ws://${location.host}/ws?v=3`);
      /** @type {any} */
      let state = { legal_moves: [] };
      let count = 0;
      let n = 0;
      const send = (/** @type {object} */ command) => socket.send(JSON.stringify({ ...command, n: (n += 1) }));
      await new Promise((resolve, reject) => {
        socket.addEventListener("close", reject);
        socket.addEventListener("message", ({ data }) => {
          const { t, moves, why, ...rest } = JSON.parse(data);
          if (t === "hello") send({ t: "watch", game });
          else if (t === "no") reject(new Error(why));
          if (t !== "state" && t !== "delta") return;
          if (moves) count = t === "state" ? moves.length : moves.keep + moves.add.length;
          state = { ...state, ...rest };
          const { legal_moves, outcome } = state;
          if (outcome || count >= until) return resolve(null);
          if (legal_moves.length === 0 || (t === "delta" && !moves)) return;
          const large = legal_moves.toSorted((/** @type {any} */ one, /** @type {any} */ other) => other.from.at(1) - one.from.at(1));
          send({ t: "move", move: large[(count * 7) % Math.min(9, large.length)].code, ply: count });
        });
      });
      socket.close();
    };
    await this.page.evaluate(script, { until, game: this.id ?? "" });
  }

  // The study board

  /** A fact in the list. @param {string} name */
  fact(name) {
    return this.page.getByRole("list", { name: "Facts" }).locator("button, [role=group]").filter({ has: this.page.locator(".fact-name", { hasText: new RegExp(`^${name}$`) }) });
  }

  /** Pastes text into the page. @param {string} text */
  async paste(text) {
    await this.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  /** The squares with a fact's mark, sorted. @param {string} fact its name in a report */
  overlaid(fact) {
    return this.page.locator(`.overlays .badge[data-fact="${fact}"]`).evaluateAll((marks) => marks.map((mark) => mark.getAttribute("data-square")).sort());
  }

  /** The arrows of a fact, as moves. @param {string} fact */
  arrows(fact) {
    return this.page.locator(`.overlays .fact-arrow[data-fact="${fact}"]`).evaluateAll((marks) => marks.map((mark) => `${mark.getAttribute("data-from")}${mark.getAttribute("data-to")}`).sort());
  }

  /** Waits until the engine has analyzed the position. */
  async engineIsDone() {
    const about = this.page.locator(".engine-about");
    await eventually(async () => {
      // Dots mean that a deeper search follows.
      if (/^(depth \d+|game over)$/.test((await about.textContent()) ?? "")) return;
      assert.ok(Number.parseInt((await about.getAttribute("title")) ?? "", 10) > 100_000);
    });
  }

  /** The moves of the engine's lines, without their numbers. @returns {Promise<string[][]>} */
  lines() {
    return this.page.locator(".line:not([aria-hidden])").evaluateAll((lines) => lines.map((line) => [...line.querySelectorAll(".move")].map((move) => move.textContent ?? "")));
  }

  // The record

  /** @returns {Promise<string[]>} */
  moves() {
    return this.page.getByRole("list", { name: "Moves" }).getByRole("button").allTextContents();
  }

  /** @param {string[]} moves */
  async record(moves) {
    await eventually(async () => assert.deepEqual(await this.moves(), moves));
  }

  /** @param {number} count */
  async recordHas(count) {
    await eventually(async () => assert.equal((await this.moves()).length, count));
  }

  /**
   * Types moves, and waits for each to be in the record.
   * @param {...string} moves
   */
  async type(...moves) {
    for (const move of moves) {
      const before = (await this.moves()).length;
      const box = this.page.getByRole("textbox", { name: "Type a move" });
      await box.fill(move);
      await box.press("Enter"); // What is shown above the form may move its button in between.
      // So that keys go to the board.
      await this.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
      await eventually(async () => {
        const reason = await this.page.locator(".typing .reason").textContent();
        assert.ok((await this.moves()).length > before, `${move} is played: ${reason}`);
      });
    }
  }

  // What the page shows

  /** Checks that no label of a player is cut off or extends beyond the player's place. */
  async playersAreComplete() {
    const faults = await this.page.locator(".player").evaluateAll((players) =>
      players.flatMap((player) => {
        const { right } = player.getBoundingClientRect();
        const labels = [...player.querySelectorAll(".name, .about, .seat-word, .role, .standing, .clock, .points, .blokus .tray")];
        const shown = labels.filter((label) => label.checkVisibility() && getComputedStyle(label).clipPath === "none");
        const cut = shown.filter((label) => label.scrollWidth > label.clientWidth + 1 || label.getBoundingClientRect().right > right + 1);
        return cut.map((label) => `${player.getAttribute("aria-label")}: ${label.className}: ${label.textContent}`);
      }),
    );
    assert.deepEqual(faults, [], JSON.stringify(this.page.viewportSize()));
  }

  /**
   * Checks that these elements are within the sides of the window, and do not cover each other.
   * @param {import("playwright-core").Locator} nodes
   */
  async areApart(nodes) {
    const width = this.page.viewportSize()?.width ?? 0;
    const found = await nodes.evaluateAll((nodes) =>
      nodes.filter((node) => node.checkVisibility({ visibilityProperty: true })).map((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return { name: `${node.getAttribute("aria-label") ?? node.textContent}`, left, right, top, bottom };
      }),
    );
    assert.ok(found.length > 1, "there are several");
    for (const [index, one] of found.entries()) {
      assert.ok(one.left >= 0 && one.right <= width, `${one.name} is in the window of ${width}`);
      for (const other of found.slice(index + 1)) {
        const apart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        assert.ok(apart, `${one.name}, ${other.name} in a window of ${width}`);
      }
    }
  }

  // What the page says

  /** @param {string | RegExp} text */
  async status(text) {
    await this.says(this.page.locator(".status"), text);
  }

  /**
   * @param {import("playwright-core").Locator} locator
   * @param {string | RegExp} text
   */
  async says(locator, text) {
    await eventually(async () => {
      const said = (await locator.textContent()) ?? "";
      if (typeof text === "string") assert.equal(said, text);
      else assert.match(said, text);
    });
  }

  /** The result card. */
  get card() {
    return this.page.getByRole("region", { name: "Result" });
  }

  /**
   * @param {string} headline
   * @param {string | RegExp} why
   */
  async ends(headline, why) {
    await this.says(this.card.getByRole("heading"), headline);
    await this.says(this.card.locator("p"), why);
  }

  /** Asks for a hint in a rated game, which is unrated from then on. */
  async hint() {
    await this.press("Hint");
    await this.page.getByRole("dialog", { name: "Show a hint?" }).getByRole("button", { name: "Show hint" }).click();
  }

  /** Resigns with two presses: the page waits only briefly for the second, and ignores a double click. */
  async resign() {
    const button = this.page.getByRole("button", { name: /^(Resign|Confirm resignation)$/ });
    const out = this.page.locator(".player.eliminated");
    const before = await out.count();
    await eventually(async () => {
      if ((await button.isHidden()) || (await out.count()) > before) return;
      await button.click({ timeout: 1000 });
      assert.fail("it is not over yet");
    });
  }

  /** Aborts the game with two presses. */
  async abort() {
    const button = this.page.getByRole("button", { name: /^(Abort game|Confirm abort)$/ });
    await button.waitFor();
    await eventually(async () => {
      if (await button.isHidden()) return;
      await button.click({ timeout: 1000 });
      assert.fail("it is not over yet");
    });
  }

  // Raw commands

  /**
   * Sends commands on a separate socket, each after the answer to the one before.
   * @param {object[]} commands
   * @returns {Promise<any[]>} their answers
   */
  raw(commands) {
    return this.page.evaluate(async (commands) => {
      const socket = new WebSocket(`ws://${location.host}/ws?v=3`);
      const nextMessage = (/** @type {(message: any) => boolean} */ wanted) =>
        new Promise((resolve, reject) => {
          socket.addEventListener("close", () => reject(new Error("the socket was closed")));
          socket.addEventListener("message", (event) => {
            const message = JSON.parse(event.data);
            if (wanted(message)) resolve(message);
          });
        });
      await nextMessage(({ t }) => t === "hello");
      const answers = [];
      for (const [n, command] of commands.entries()) {
        const answer = nextMessage((message) => message.n === n);
        socket.send(JSON.stringify({ ...command, n }));
        answers.push(await answer);
      }
      socket.close();
      return answers;
    }, commands);
  }
}

/**
 * Starts a game between guests, who take the seats in their order.
 * @param {Guest[]} guests
 * @param {string} game
 * @param {string} rules
 */
export async function together([first, ...others], game, rules) {
  await first?.make({ game, rules, opponent: "friend", seat: 0 });
  for (const [index, guest] of others.entries()) {
    await guest.open(`/g/${first?.id}?seat=${index + 1}`);
    await guest.page.getByRole("group", { name: "Open seats" }).getByRole("button").click();
  }
  for (const guest of [first, ...others]) await guest?.begins();
}
