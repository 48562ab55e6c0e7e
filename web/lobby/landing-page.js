// The home page: a live board, and buttons to play.

import { plural } from "../app/names.js";
import { Page } from "../app/page.js";
import { BoardFrame } from "../board/board-frame.js";
import { Board } from "../board/board.js";
import { Clocks } from "../play/clock.js";
import { bottomEdge, isGray, lastRound, playerName, setColorScheme } from "../play/game-state.js";
import { Players } from "../play/players.js";
import { el, pageLink, setText } from "../ui/dom.js";
import { familyCards } from "./game-cards.js";
import { oneAtATime } from "./one-at-a-time.js";

/** @import { GameKind, GameState, Lobby } from "../app/protocol.js" */
/** @import { GameOptions } from "./game-cards.js" */
/** @import { AppContext } from "../play/game-page.js" */

export class LandingPage extends Page {
  /** @param {AppContext} context */
  constructor(context) {
    super();
    this.context = context;
    this.runOnce = oneAtATime();
    /** Whether the server has sent its games. */
    this.known = false;
    this.board = new Board({ interactive: false, name: "A live game" });
    this.clocks = new Clocks();
    // Empty cards until the server has sent its games.
    this.kinds = el("div", { class: "kinds" }, ...Array.from({ length: 4 }, () => el("div", { class: "family skeleton", "aria-hidden": "true" })));
    this.watch = pageLink(context, { class: "watch" }, "Watch this game");
    this.lobbyWords = el("span", {}, "open games");
    const lobby = pageLink(context, { href: "/lobby" }, "the lobby");
    const study = pageLink(context, { href: "/study" }, "the study board");
    const environments = pageLink(context, { href: "/environments" }, "the environment inspector");
    this.frame = new BoardFrame(this.board, new Players(this.clocks));
    const intro = el(
      "div",
      { class: "intro" },
      el("h1", {}, "Play board games"),
      el("p", { class: "tagline" }, "Against bots or friends. No account, nothing to install."),
      this.kinds,
      el("p", { class: "study-line" }, "Play with others: ", lobby, " – ", this.lobbyWords, "."),
      el("p", { class: "study-line" }, "Analyze: ", study, " shows attacked, pinned and hanging pieces, and the engine's best moves."),
      el("p", { class: "study-line" }, "For AI developers: ", environments, " shows the observations and actions that agents learn from."),
      el(
        "p",
        { class: "live-line waiting" },
        el("span", { class: "live-dot", "aria-hidden": "true" }),
        "A live game is on the board. ",
        this.watch,
      ),
    );
    this.root = el("main", { class: "landing", tabindex: "-1" }, this.frame.root, intro);
    this.hello();
    document.title = "Fourfold";
  }

  hello() {
    const hello = this.context.hello();
    if (!hello) return;
    this.id = hello.live;
    if (this.known) return;
    this.known = true;
    this.root.querySelector(".waiting")?.classList.remove("waiting");
    this.kinds.replaceChildren(...familyCards(hello.games, (kind, chosen) => this.create(kind, chosen)));
    if (hello.live) this.watch.href = `/g/${hello.live}`;
    else this.watch.parentElement?.remove();
  }

  /** @param {Lobby} lobby */
  lobby(lobby) {
    setText(this.lobbyWords, lobbyText(lobby));
  }

  /** @param {GameState} state */
  update(state) {
    const bottom = bottomEdge({ ...state, you: [] }, 0);
    setColorScheme(this.frame.root, state);
    this.board.setLayout(state.board, bottom);
    this.board.setPieces(state.pieces, (seat) => isGray(state, state, seat));
    const last = state.seats.length > 2 ? { moved: lastRound(state) } : { last: state.last_move };
    this.board.setMarks({ ...last, check: state.check });
    const names = state.seats.map((seat, index) => `${playerName(state, index)} as ${seat.name}`);
    this.board.setName(`A live game: ${names.join(", ")}`);
    this.clocks.update(state);
    this.frame.update(state, state, bottom);
  }

  /**
   * @param {GameKind} kind
   * @param {GameOptions} chosen
   */
  async create(kind, chosen) {
    await this.runOnce(async () => {
      const { game } = await this.context.link.send({ t: "create", game: kind.id, ...chosen });
      if (game) this.context.open(`/g/${game}`);
    });
  }

  close() {
    this.clocks.stop();
  }
}

/**
 * Summarizes the lobby in one line.
 * @param {Lobby} lobby
 */
function lobbyText({ waiting, playing }) {
  const parts = [
    waiting.length > 0 ? plural(waiting.length, "open game") : "",
    playing.length > 0 ? plural(playing.length, "live game") : "",
  ];
  return parts.filter(Boolean).join(", ") || "no open games right now";
}
