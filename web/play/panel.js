// The panel next to the board: the status, buttons, and a form for typing moves.

import { reasonOf } from "../app/connection.js";
import { sentence, watchersText } from "../app/names.js";
import { button, el, pageLink, setText } from "../ui/dom.js";
import { actingSeat, areYouEliminated, canStudy, hasOpenSeat, isYourTurn, openSeats } from "./game-state.js";
import { Invite, invitedSeat } from "./invite.js";
import { RulesCard } from "./rules-card.js";
import { statusText } from "./status.js";

/** @import { Command, GameState } from "../app/protocol.js" */
/** @import { AppContext } from "./game-page.js" */

/**
 * @typedef {object} Actions
 * @property {(command: Command) => void} send
 * @property {(open: boolean) => Promise<unknown>} setNetwork rejected with the reason
 * @property {(text: string) => Promise<void>} type
 * @property {() => void} latest
 * @property {(path: string) => void} open
 * @property {() => void} hint
 * @property {() => void} cancel ends a game that is waiting for players
 * @property {() => void} study
 */

/** How long to wait for a second press, in milliseconds. */
const CONFIRM_TIME = 3000;
/** An earlier second press belongs to a double click. */
const DOUBLE_CLICK = 400;
/** How long the reason for a refusal is shown. */
const REASON_TIME = 6000;

export class Panel {
  /**
   * @param {Actions} actions
   * @param {HTMLElement} record the list of moves
   * @param {HTMLElement} playback
   * @param {boolean} file whether the game comes from a file
   */
  constructor(actions, record, playback, file) {
    this.file = file;
    const send = (/** @type {Command["t"]} */ t) => () => actions.send(/** @type {Command} */ ({ t }));
    this.record = record;
    this.status = el("p", { class: "status" });
    this.opening = el("p", { class: "opening" });
    this.notes = el("p", { class: "notes" });
    this.watchers = el("span", { class: "watchers" });
    this.invite = new Invite((seat, bot) => actions.send({ t: "fill", seat, bot }), actions.setNetwork);
    this.seats = el("div", { class: "actions", role: "group", "aria-label": "Open seats" });
    this.takeback = button("Takeback", send("takeback"));
    this.acceptTakeback = button("Accept takeback", send("takeback"), "button primary");
    this.declineTakeback = button("Decline", send("decline_takeback"));
    this.hint = button("Hint", actions.hint, "button hint");
    this.hint.title = "Show a good move (h)";
    this.claim = button("", send("claim"));
    this.draw = button("Offer draw", () => this.pressDraw(send("draw")));
    this.accept = button("Accept draw", send("draw"), "button primary");
    this.decline = button("Decline", send("decline"));
    this.resign = button("Resign", () => this.resigning.press(send("resign")), "button quiet-danger");
    this.resigning = new ConfirmButton(this.resign, "Resign", "Confirm resignation");
    this.abort = button("Abort game", () => this.aborting.press(send("abort")), "button quiet-danger");
    this.abort.title = "End the game without a result. Only possible before play has really begun.";
    this.aborting = new ConfirmButton(this.abort, "Abort game", "Confirm abort");
    this.cancel = button("Cancel game", () => actions.cancel());
    this.agreeing = new ConfirmButton(this.draw, "Agree to a draw", "Confirm draw");
    /** Whether all seats are yours: then your agreement alone ends the game. */
    this.ownsAllSeats = false;
    this.rematch = button("Rematch", send("rematch"), "button primary");
    this.next = button("Next game", () => actions.open(`/g/${this.nextId}`));
    this.fresh = button("New game", () => actions.open("/"));
    this.export = el("a", { class: "button", download: true }, "Export");
    this.study = button("Study", () => actions.study());
    this.inspector = pageLink(actions, { class: "agent-link" }, "Environment inspector");
    this.latest = button("Back to the game", actions.latest, "button small primary");
    this.sit = (/** @type {number} */ seat) => actions.send({ t: "sit", seat });
    this.nextId = "";
    this.form = moveForm(actions);
    this.rules = new RulesCard();
    const bar = el(
      "div",
      { class: "actions", role: "group", "aria-label": "Actions" },
      this.acceptTakeback, this.declineTakeback, this.accept, this.decline, this.claim, this.rematch, this.next, this.fresh,
      this.hint, this.takeback, this.draw, this.resign, this.abort, this.cancel, this.study, this.export,
    );
    this.headline = el("div", { class: "headline" }, this.status, this.watchers, this.rules.button, this.latest);
    this.root = el(
      "aside",
      { class: "panel waiting", "aria-label": "Game" },
      this.headline,
      this.opening,
      this.invite.root,
      this.seats,
      this.rules.root,
      record,
      playback,
      bar,
      this.form,
      el("p", { class: "agent-line" }, this.inspector),
      this.notes,
    );
  }

  /**
   * @param {GameState} state
   * @param {AppContext} context
   * @param {boolean} earlier whether an earlier position is shown
   * @param {boolean} hinting whether a hint is being computed
   */
  update(state, context, earlier, hinting) {
    this.root.classList.remove("waiting");
    this.root.classList.toggle("realtime", Boolean(state.time));
    setText(this.status, statusText(state));
    setText(this.watchers, watchersText(state.watchers));
    // In chess its line is there from the beginning, so that nothing moves when it gets a name.
    this.opening.hidden = state.game !== "chess";
    setText(this.opening, state.opening ?? "");
    this.root.classList.toggle("your-turn", isYourTurn(state));
    this.rules.update(state);
    this.invite.update(state, context.hello(), context.network());
    this.updateSeats(state);
    this.updateButtons(state, earlier);
    this.hint.disabled = !state.hint || hinting;
    this.hint.setAttribute("aria-busy", String(hinting));
    const ratedText = state.rated && !this.hint.hidden ? "Rated. A hint or takeback makes it unrated." : "";
    const unrated = state.you.length > 0 && !state.rated && !hasOpenSeat(state) ? "This game is unrated." : ratedText;
    setText(this.notes, state.stored ? unrated : "This game is not being saved and will be lost if the server stops.");
  }

  /**
   * Lets people without a seat take an open one.
   * @param {GameState} state
   */
  updateSeats(state) {
    const free = state.you.length > 0 || state.outcome ? [] : openSeats(state);
    const invited = invitedSeat();
    const open = free.includes(invited) ? [invited] : free;
    this.seats.hidden = open.length === 0;
    const named = open.map((seat) => `Play as ${state.seats[seat]?.name}`);
    if (named.join() === [...this.seats.children].map((child) => child.textContent).join()) return;
    this.seats.replaceChildren(
      ...open.map((seat, index) => button(named[index] ?? "", () => this.sit(seat), "button primary")),
    );
  }

  /**
   * @param {GameState} state
   * @param {boolean} earlier
   */
  updateButtons(state, earlier) {
    const seat = actingSeat(state);
    const playing = seat !== null && !state.outcome && !areYouEliminated(state);
    const waiting = hasOpenSeat(state);
    const agreed = seat !== null && state.draw_votes.includes(seat);
    const offered = playing && state.draw_offer !== null && !agreed;
    // In a real-time replay it stays, so that playing moves nothing.
    this.latest.hidden = state.time ? !state.outcome && !this.file : !earlier;
    this.latest.disabled = !earlier;
    this.hint.hidden = !playing || Boolean(state.time) || !isOnlyBots(state);
    this.updateTakeback(state, playing && !waiting && !state.time);
    this.claim.hidden = !(playing && state.claim && isYourTurn(state));
    setText(this.claim, `Claim draw: ${state.claim ?? ""}`);
    this.accept.hidden = !offered;
    this.decline.hidden = !offered;
    this.draw.hidden = !playing || offered || waiting;
    this.draw.disabled = state.draw_offer !== null;
    this.ownsAllSeats = state.you.length === state.players.length;
    if (!this.ownsAllSeats) setText(this.draw, drawText(state, seat));
    else if (!this.agreeing.asked) setText(this.draw, "Agree to a draw");
    this.resign.hidden = !playing || waiting || state.abortable;
    this.abort.hidden = !playing || waiting || !state.abortable;
    this.cancel.hidden = !playing || !waiting || !state.abortable;
    this.form.hidden = !playing || waiting;
    this.fresh.hidden = playing && !waiting;
    this.fresh.classList.toggle("primary", areYouEliminated(state) && !state.outcome);
    this.updateEnd(state, seat);
  }

  /**
   * @param {GameState} state
   * @param {boolean} playing whether moves are made in turn, by you, too
   */
  updateTakeback(state, playing) {
    const agreed = state.takeback_votes.some((seat) => state.you.includes(seat));
    const asked = playing && state.takeback_offer !== null && !agreed;
    this.acceptTakeback.hidden = !asked;
    this.declineTakeback.hidden = !asked;
    // In rated games, people do not take back moves.
    this.takeback.hidden = !playing || asked || (state.rated && !isOnlyBots(state));
    this.takeback.disabled = !state.takeback;
    const requested = state.you.includes(state.takeback_votes[0] ?? -1) ? "Takeback requested" : "Takeback agreed";
    setText(this.takeback, agreed ? requested : "Takeback");
  }

  /**
   * @param {GameState} state
   * @param {number | null} seat
   */
  updateEnd(state, seat) {
    const over = Boolean(state.outcome);
    this.nextId = state.next ?? "";
    this.next.hidden = !state.next;
    this.rematch.hidden = !over || seat === null || Boolean(state.next) || hasOpenSeat(state);
    const [text, wanted] = rematchText(state);
    setText(this.rematch, text);
    this.rematch.disabled = wanted;
    this.export.hidden = this.file || hasOpenSeat(state);
    this.study.hidden = !(over || this.file) || !canStudy(state);
    this.export.href = `/g/${state.id}/export`;
    this.inspector.hidden = this.file;
    this.inspector.href = `/environments?game=${state.id}`;
  }

  /** @param {{button: HTMLElement, root: HTMLElement}} chat */
  addChat({ button, root }) {
    this.headline.append(button);
    this.root.append(root);
  }

  /** @param {() => void} draw */
  pressDraw(draw) {
    if (this.ownsAllSeats) this.agreeing.press(draw);
    else draw();
  }
}

/**
 * @param {GameState} state
 * @param {number | null} seat your seat
 */
function drawText(state, seat) {
  if (state.draw_offer === null) return "Offer draw";
  return state.draw_offer === seat ? "Draw offered" : "Draw agreed";
}

/** A button that acts on the second press. */
class ConfirmButton {
  /**
   * @param {HTMLButtonElement} button
   * @param {string} label its text at first
   * @param {string} question its text after the first press
   */
  constructor(button, label, question) {
    this.button = button;
    this.texts = { label, question };
    /** When it was pressed first, or 0. */
    this.asked = 0;
    this.timer = 0;
    // A held key counts as one press.
    button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
  }

  /** @param {() => void} act */
  press(act) {
    const now = performance.now();
    if (!this.asked) {
      this.asked = now;
      setText(this.button, this.texts.question);
      this.button.classList.add("confirming");
      this.timer = setTimeout(() => this.reset(), CONFIRM_TIME);
    } else if (now - this.asked > DOUBLE_CLICK) {
      this.reset();
      act();
    }
  }

  reset() {
    clearTimeout(this.timer);
    this.asked = 0;
    this.button.classList.remove("confirming");
    setText(this.button, this.texts.label);
  }
}

/**
 * @param {GameState} state
 * @returns {[string, boolean]} the text of the button, and whether it was pressed
 */
export function rematchText(state) {
  const seat = actingSeat(state);
  if (seat !== null && state.rematch.includes(seat)) return ["Rematch offered", true];
  return [state.rematch.length > 0 ? "Accept rematch" : "Rematch", false];
}

/**
 * Whether only you and bots play: only then are there hints, and no consent is needed for takebacks.
 * @param {GameState} state
 */
function isOnlyBots(state) {
  return state.players.every((player, seat) => player.kind === "bot" || state.you.includes(seat));
}

/**
 * Creates the form for typing moves.
 * @param {Actions} actions
 */
function moveForm(actions) {
  const reason = el("span", { class: "reason", role: "alert" });
  const input = el("input", {
    type: "text", name: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-label": "Type a move", placeholder: "Type a move", maxlength: "24", input: () => setText(reason, ""),
  });
  let timer = 0;
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    input.value = ""; // At once: the next move may be typed before the answer arrives.
    setText(reason, "");
    try {
      await actions.type(text);
    } catch (error) {
      input.value ||= text;
      setText(reason, sentence(reasonOf(error)));
      clearTimeout(timer);
      timer = setTimeout(() => setText(reason, ""), REASON_TIME);
    }
  };
  const play = el("button", { type: "submit", class: "button" }, "Play");
  return el("form", { class: "typing", submit }, input, play, reason);
}
