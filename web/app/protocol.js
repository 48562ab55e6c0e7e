// The messages between page and server: the types of docs/arena/protocol.md.

/** The version of the protocol that this page speaks. */
export const VERSION = 3;

/** @typedef {"bottom" | "left" | "top" | "right"} Edge */

/**
 * @typedef {object} Shape
 * @property {number} width
 * @property {number} height
 * @property {"checkered" | "plain"} surface
 * @property {(string | null)[][]} rows from the top left; null where the board has no square
 * @property {string[]} files the labels of the columns
 * @property {string[]} ranks the labels of the rows, from the top
 */

/** @typedef {{name: string, edge: Edge}} Seat */
/** @typedef {{kind: "guest" | "bot" | "open", name?: string, connected?: boolean}} Player */
/** @typedef {{square: string, piece: string, seat: number}} Piece */
/** A captured piece. @typedef {{piece: string, seat: number}} CapturedPiece */
/** @typedef {{winners: number[], reason: string, text: string}} Outcome */
/** @typedef {{seat: number, number: number, text: string, code: string, color?: number}} Move */
/** @typedef {{code: string, text: string, from: string, to: string, promotion?: string | null}} LegalMove */
/** A Blokus piece, as rows and columns. @typedef {{name: string, cells: [number, number][]}} PieceShape */

/**
 * A Blokus color.
 * @typedef {object} Color
 * @property {string} name
 * @property {number | null} seat the owner; null if players share the color
 * @property {boolean} turn
 * @property {boolean} done
 * @property {number} score
 * @property {string[]} squares
 * @property {string[]} frontier
 * @property {string[]} left
 */

/** Milliseconds; the `delay` at the beginning of each turn does not count. @typedef {{initial: number, increment: number, delay?: number}} TimeControl */
/**
 * A piece of a real-time game: `flight` is its destination and the ticks of its departure and arrival,
 * `rest` the ticks from which and until which it rests.
 * @typedef {{id: number, piece: string, seat: number, square: string, flight?: [string, number, number], rest?: [number, number], gone?: boolean}} RealtimePiece
 */
/** `from` and `now` are milliseconds; time runs from `from` on. @typedef {{phase: "waiting" | "running" | "paused" | "over", rate: number, from: number, now: number}} GameTime */
/** `delay_left` is how long the running clock still stands still. @typedef {TimeControl & {left: number[], running: number | null, delay_left: number}} Clock */

/**
 * What can be seen on and beside the board; also the answer to `position`.
 * @typedef {object} Position
 * @property {number[]} eliminated
 * @property {number[]} scores
 * @property {Color[]} colors
 * @property {Piece[]} pieces
 * @property {string[]} last_move
 * @property {string[]} check
 * @property {CapturedPiece[][]} captured
 * @property {RealtimePiece[]} [realtime_pieces] of a real-time game, at `tick`
 * @property {number} [tick]
 * @property {number[]} [clocks] the milliseconds that each seat had left, in an earlier position of a game with clocks
 * @property {number} [ply] of an earlier position: how many moves led to it
 */

/**
 * @typedef {object} GameState
 * @property {number} seq
 * @property {string} id
 * @property {string} game
 * @property {Shape} board
 * @property {Seat[]} seats
 * @property {Player[]} players
 * @property {number[][]} teams
 * @property {number[]} eliminated
 * @property {number[]} scores
 * @property {string} seat_colors
 * @property {Color[]} colors
 * @property {PieceShape[]} piece_shapes
 * @property {Piece[]} pieces
 * @property {CapturedPiece[][]} captured
 * @property {string[]} last_move
 * @property {string[]} check
 * @property {number[]} acting
 * @property {string | null} claim
 * @property {string | null} opening the name of the opening, in chess
 * @property {Outcome | null} outcome
 * @property {Move[]} moves
 * @property {Clock | null} clock
 * @property {number | null} draw_offer
 * @property {number[]} draw_votes
 * @property {number | null} takeback_offer the seat that asks to take back its latest move
 * @property {number[]} takeback_votes
 * @property {number[]} rematch
 * @property {string | null} next
 * @property {boolean} stored
 * @property {number} watchers people without a seat
 * @property {boolean} rated whether it counts for ratings
 * @property {boolean} abortable whether it can still be aborted
 * @property {SeatRating[]} ratings by seat; empty if the game is unrated or they are unknown
 * @property {number[]} you
 * @property {LegalMove[]} legal_moves
 * @property {boolean} takeback whether you may take back a move, ask for that, or agree to it
 * @property {boolean} hint
 * @property {ChatStatus | null} [chat] null for spectators and without other people
 * @property {GameTime} [time] only in real-time games, like all properties below
 * @property {RealtimePiece[]} [realtime_pieces]
 * @property {{piece: number, to: string}[]} [premoves]
 * @property {{piece: number, tick: number, why: string} | null} [missed]
 */

/** A game as the lobby shows it; `you` are your seats. @typedef {{id: string, game: string, rules: string | null, clock: TimeControl | null, players: Player[], watchers: number, rated: boolean, ratings: (SeatRating | null)[], you: number[]}} Listing */
/** @typedef {{waiting: Listing[], playing: Listing[]}} Lobby */

/** One of your games; `rating_change` is the change of your rating. @typedef {{id: string, game: string, rules: string | null, clock: TimeControl | null, players: Player[], you: number[], over: boolean, outcome: Outcome | null, rating_change: number | null, since: number}} PlayedGame */
/** @typedef {{pool: string, name: string, rating: number, deviation: number, games: number}} Rating */
/** The rating of a player; `rating_change` is its change by the game. @typedef {{rating: number, deviation: number, rating_change: number | null}} SeatRating */
/** An entry of a ladder; `bot` is a bot's level. @typedef {{bot: string | null, name: string | null, rating: number, deviation: number, games: number}} LadderEntry */

/** Whether you have the chat on, how many others have, and whether they may be strangers from the lobby. @typedef {{enabled: boolean, listeners: number, listed: boolean}} ChatStatus */
/** @typedef {{seat: number, text: string}} ChatLine */
/** New lines or, with `all`, those that the server has kept. @typedef {{all: boolean, lines: ChatLine[]}} ChatMessage */

/** @typedef {{keep: number, add: Move[]}} MovesChange */
/** Where pieces have changed; null in the lists for what has not. @typedef {{pieces?: (Piece & {gone?: boolean})[], captured?: (CapturedPiece[] | null)[], colors?: (Color | null)[]}} BoardChange */
/** @typedef {Partial<Omit<GameState, "moves" | "pieces" | "captured" | "colors">> & BoardChange & {seq: number, moves?: MovesChange}} Delta */

/** @typedef {{id: string, name: string, about: string, rating: number}} Bot */
/** A choice of rules for a game. @typedef {{name: string, options: {name: string, rules: string}[]}} RuleChoice */
/** @typedef {{id: string, name: string, seats: string[], bots: Bot[], realtime: boolean, choices: RuleChoice[]}} GameKind */

/**
 * @typedef {object} Hello
 * @property {number} v
 * @property {string} name
 * @property {string | null} live
 * @property {GameKind[]} games
 */

/** Where others reach the server; `private` if only from the local network. @typedef {{origin: string, private: boolean}} Address */
/** Who can reach the server; `can_change` if you may change that. @typedef {{scope: "loopback" | "network", can_change: boolean, addresses: Address[]}} Network */

/** @typedef {{bot: string} | "friend" | "self"} Opponent */

/**
 * @typedef {{t: "create", game: string, opponent: Opponent, seat: number | null, clock: TimeControl | null, rules?: string | undefined, listed?: boolean, casual?: boolean, start?: string}
 *   | {t: "lobby", listen: boolean}
 *   | {t: "network", open: boolean}
 *   | {t: "history", before: string | null}
 *   | {t: "ladder", pool: string}
 *   | {t: "order" | "premove", piece: number, to: string}
 *   | {t: "cancel" | "targets", piece: number}
 *   | {t: "watch", game: string}
 *   | {t: "sit", seat: number}
 *   | {t: "fill", seat: number, bot: string}
 *   | {t: "move", move: string, ply: number}
 *   | {t: "try", move: string, ply: number}
 *   | {t: "position" | "hint", ply: number}
 *   | {t: "name", name: string}
 *   | {t: "chat", text: string}
 *   | {t: "enable_chat", enabled: boolean}
 *   | {t: "leave" | "sync" | "resign" | "abort" | "claim" | "draw" | "decline" | "takeback" | "decline_takeback" | "rematch"}} Command
 */

/** @typedef {{t: "ok", n: number, game?: string, why?: string | null, tick?: number, to?: string[], hint?: LegalMove, games?: PlayedGame[], more?: boolean, ratings?: Rating[], players?: LadderEntry[]} & Partial<Position>} Ok */

/**
 * @typedef {Ok
 *   | {t: "no", n: number | null, why: string}
 *   | ({t: "hello"} & Hello)
 *   | ({t: "network"} & Network)
 *   | ({t: "state"} & GameState)
 *   | ({t: "delta"} & Delta)
 *   | {t: "notice", text: string | null}
 *   | ({t: "lobby"} & Lobby)
 *   | ({t: "chat"} & ChatMessage)
 *   | {t: "bye", why: string, retry: boolean}} Message
 */
