// The base class of all pages. A page overrides the methods that it needs.

/** @import { ChatMessage, GameState } from "./protocol.js" */

export class Page {
  /** The id of the game that the page watches, if any. @type {string | null} */
  id = null;

  /** Called when the server's `hello` has arrived. */
  hello() {}

  /**
   * Called when the game has changed.
   * @param {GameState} _state
   */
  update(_state) {}

  /**
   * Called with messages from players of the game.
   * @param {ChatMessage} _message
   */
  onChat(_message) {}

  /**
   * @param {KeyboardEvent} _event
   * @returns {boolean} whether the page handled it
   */
  key(_event) {
    return false;
  }

  close() {}
}
