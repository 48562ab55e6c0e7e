// The rules of the games that a newcomer may not know: in three points, and in full. Loaded with the first such game.

import { openDialog } from "../ui/dialog.js";
import { button, el } from "../ui/dom.js";

/** A term and what it means. @typedef {[string, string]} Line */
/** `sections` is empty if the brief says it all. @typedef {{title: string, brief: Line[], sections: {title: string, lines: Line[]}[]}} Rules */

/** @type {{title: string, lines: Line[]}} */
const FOUR_PLAYERS = {
  title: "Moves",
  lines: [
    ["Turns", "Red moves first, then Blue, Yellow and Green: clockwise."],
    ["Check", "Answer every check, whoever gives it: it may come from several players at once."],
    ["En passant", "A pawn that moved two squares can be captured until its owner moves again."],
  ],
};

/** @type {Rules} */
const FREE_FOR_ALL = {
  title: "Four-player chess",
  brief: [
    ["Score the most points.", "Captures score 1 to 9 points, a captured king or checkmate 20."],
    ["Everyone is an opponent.", "Three players move before your next turn: protect your king from all of them."],
    ["Eliminated players", "leave gray pieces, which block and score nothing, except the king of a player who resigned or ran out of time."],
  ],
  sections: [
    {
      title: "Goal",
      lines: [
        ["Winner", "The player with the most points when the game ends. The last player left does not win automatically."],
        ["End", "One player is left, or the game is drawn: 10 points for every player still in it."],
      ],
    },
    {
      title: "Points",
      lines: [
        ["Pawn", "1"],
        ["Knight", "3"],
        ["Bishop, rook", "5"],
        ["Queen", "9; a promoted pawn is worth 1"],
        ["King", "20"],
        ["Checkmate", "20, to the last player to move among those who give check"],
        ["Stalemate", "20, to the stalemated player"],
        ["Check to two kings", "5, or 1 with a queen"],
        ["Check to three kings", "20, or 5 with a queen"],
        ["Gray pieces", "0; 20 for the king of a player who resigned or ran out of time"],
      ],
    },
    {
      title: "Elimination",
      lines: [
        ["Checkmate, stalemate", "When your turn comes without a legal move, you are eliminated. Until then others may rescue you."],
        ["Captured king", "A king that another player leaves in check can be captured before its owner's turn."],
        ["Afterwards", "Your points stay. Your pieces turn gray: they block, but neither move nor attack."],
      ],
    },
    { title: FOUR_PLAYERS.title, lines: [...FOUR_PLAYERS.lines, ["Promotion", "On your 8th rank, in the middle of the board, to a queen that is worth 1 point."]] },
  ],
};

/** @type {Rules} */
const TEAMS = {
  title: "Four-player teams",
  brief: [
    ["Two against two.", "The player opposite is your partner: Red and Yellow against Blue and Green."],
    ["One checkmate wins.", "The first team to checkmate an opponent or to capture a king wins. There are no points."],
    ["Your partner's pieces", "block like your own and never check you."],
  ],
  sections: [
    {
      title: "Goal",
      lines: [
        ["Winner", "The team that checkmates an opponent or captures a king. A team loses if either partner resigns or runs out of time."],
        ["Stalemate", "A draw."],
        ["Partners", "They cannot capture each other's pieces, and do not give each other check."],
      ],
    },
    { title: FOUR_PLAYERS.title, lines: [...FOUR_PLAYERS.lines, ["Promotion", "On your 11th rank, to a queen, rook, bishop or knight."]] },
  ],
};

/** @param {string} title @param {Line} start @param {Line[]} [players] @returns {Rules} */
const blokus = (title, start, players = []) => ({
  title,
  brief: [start, ["Corners, never edges.", "Every piece must touch one of its own color at a corner, and none at an edge."], ["Place as many squares as you can.", "Every square that is left costs a point."]],
  sections: [
    {
      title: "Placing",
      lines: [
        start,
        ["Corners", "Every later piece must touch a corner of a piece of the same color."],
        ["Edges", "It must not touch an edge of that color. Edges of other colors do not matter."],
        ["Pieces", "Each color has 21 pieces with 89 squares in total. Rotate and flip them freely."],
        ...players,
      ],
    },
    {
      title: "Points",
      lines: [
        ["Squares left", "−1 each"],
        ["All pieces placed", "+15"],
        ["Single square last", "+5 more"],
      ],
    },
    {
      title: "End",
      lines: [
        ["No room", "A color that cannot place a piece is out. A color that can place a piece must do so."],
        ["Winner", "The game ends when no color can place a piece. The most points win."],
      ],
    },
  ],
});

/** @type {Line} */
const CORNER = ["Start in your corner.", "The first piece must cover the corner square of its color."];

/** @type {Rules} */
const KUNG_FU = {
  title: "Kung fu chess",
  brief: [
    ["No turns.", "Move any piece at any time. It travels to its square, then rests there until its stripes are gone."],
    ["Plan ahead.", "Premove a piece that is moving or resting. Esc cancels the premove."],
    ["Capture the king.", "When two pieces meet, the piece that left first captures the other."],
  ],
  sections: [],
};

/** @type {Record<string, Rules>} */
const RULES = {
  "four-player": FREE_FOR_ALL,
  "four-player-teams": TEAMS,
  blokus: blokus("Blokus", CORNER),
  "blokus-3": blokus("Blokus for three", CORNER, [["Green", "The players take turns placing green. Its points do not count."]]),
  "blokus-2": blokus("Blokus for two", CORNER, [["Two colors each", "One player has blue and red, the other yellow and green. Their points are added."]]),
  "blokus-duo": blokus("Blokus Duo", ["Start on your dot.", "The first piece must cover the start square of its color."]),
  "kung-fu": KUNG_FU,
  "kung-fu-12x12": { ...KUNG_FU, brief: [...KUNG_FU.brief.slice(0, 2), ["Capture the kings.", "The last player with a king wins. When two pieces meet, the piece that left first captures the other."]] },
};

/** @param {string} game */
export function rulesOf(game) {
  return RULES[game] ?? null;
}

/** @param {Rules} rules */
export function briefRules({ brief }) {
  return brief.map(([what, how]) => el("li", {}, el("strong", {}, what), " ", how));
}

/** @param {Rules} rules */
export function openRules({ title, sections }) {
  const parts = sections.flatMap((section) => [
    el("h3", {}, section.title),
    el("dl", {}, ...section.lines.flatMap(([what, how]) => [el("dt", {}, what.replace(/\.$/, "")), el("dd", {}, how)])),
  ]);
  const dialog = openDialog(`Rules of ${title}`, "rules", el("h2", {}, `${title}: rules`), ...parts, button("Close", () => dialog.close(), "button primary"));
}
