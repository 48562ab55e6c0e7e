// Who can open an invitation: only this computer, or the network too. Shows the address for others and its QR code.

import { reasonOf } from "../app/connection.js";
import { sentence } from "../app/names.js";
import { button, el, selectField, setText } from "../ui/dom.js";

/** @import { Address, Network } from "../app/protocol.js" */

/** Whether the page was opened at a loopback address. */
const IS_LOOPBACK = /^(localhost$|127\.|\[::1\])/.test(location.hostname);

const LOOPBACK_ONLY = "This link works on this computer only.";

export class ShareScope {
  /** @param {(open: boolean) => Promise<unknown>} turn opens the server to the network, or closes it; rejected with the reason */
  constructor(turn) {
    this.setNetwork = turn;
    /** @type {Network | null} */
    this.network = null;
    /** The id of the game. */
    this.id = "";
    /** The chosen address, if there are several. */
    this.chosen = "";
    this.busy = false;
    this.select = el("select", { id: "invite-address", change: () => this.choose() });
    this.addresses = selectField("This computer has several addresses", this.select);
    this.addresses.hidden = true;
    this.picture = el("img", { class: "qr", width: "148", height: "148", hidden: true });
    this.text = el("p", { class: "scope", role: "status" });
    this.public = el("p", { class: "scope public" }, "This address may be reachable from the internet.");
    this.reason = el("p", { class: "reason", role: "alert", hidden: true });
    // The second press of a double click would undo the first.
    this.switch = button("", (event) => event.detail < 2 && this.press());
    this.root = el("div", { class: "share-scope" }, this.picture, this.text, this.public, this.addresses, this.switch, this.reason);
    /** Called when another address is chosen. */
    this.changed = () => {};
  }

  /** The origin of the link: the address for others, if there is one. */
  get origin() {
    return this.address?.origin ?? location.origin;
  }

  /** The address for others, unless the page was opened at such an address itself. @returns {Address | null} */
  get address() {
    if (!IS_LOOPBACK || this.network?.scope !== "network") return null;
    const { addresses } = this.network;
    return addresses.find(({ origin }) => origin === this.chosen) ?? addresses[0] ?? null;
  }

  /**
   * @param {string} id of the game
   * @param {Network | null} network
   */
  update(id, network) {
    this.id = id;
    this.network = network;
    this.root.hidden = !network;
    if (!network) return;
    const { address } = this;
    const open = network.scope === "network";
    this.drawPicture(!IS_LOOPBACK || address !== null);
    setText(this.text, scopeText(network, address));
    const shown = address ? [address] : network.can_change ? network.addresses : [];
    this.public.hidden = shown.every((one) => one.private);
    this.drawAddresses(address ? network.addresses : []);
    this.switch.hidden = !network.can_change || (!open && network.addresses.length === 0);
    setText(this.switch, open ? "Stop sharing on the network" : "Share on the local network");
  }

  /** @param {boolean} shown */
  drawPicture(shown) {
    this.picture.hidden = !shown;
    if (!shown) return;
    const { origin, id } = this;
    const source = `/g/${id}/qr?at=${encodeURIComponent(origin)}`;
    if (this.picture.getAttribute("src") !== source) this.picture.src = source;
    this.picture.alt = `QR code of ${origin}/g/${id}`;
  }

  /** @param {Address[]} addresses */
  drawAddresses(addresses) {
    this.addresses.hidden = addresses.length < 2;
    const drawn = addresses.map(({ origin }) => origin);
    if (drawn.join() !== [...this.select.options].map(({ value }) => value).join()) {
      this.select.replaceChildren(...drawn.map((origin) => el("option", { value: origin }, new URL(origin).host)));
    }
    this.select.value = this.origin;
  }

  choose() {
    this.chosen = this.select.value;
    this.update(this.id, this.network);
    this.changed();
  }

  async press() {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.setNetwork(this.network?.scope !== "network");
      this.showReason("");
    } catch (error) {
      this.showReason(sentence(reasonOf(error)));
    } finally {
      this.busy = false;
    }
  }

  /** @param {string} why */
  showReason(why) {
    this.reason.hidden = !why;
    setText(this.reason, why);
  }
}

/**
 * @param {Network} network
 * @param {Address | null} address for others
 */
function scopeText({ scope, addresses }, address) {
  if (!IS_LOOPBACK) return "Scan the code, or open the link: it works for everyone who can reach this address.";
  if (address) return "Scan the code with a phone, or open the link on any device on the same network.";
  if (addresses.length === 0) return `${LOOPBACK_ONLY} This computer is not on a network.`;
  if (scope === "network") return LOOPBACK_ONLY;
  const hosts = addresses.map(({ origin }) => new URL(origin).hostname);
  return `${LOOPBACK_ONLY} Once shared on your network, others can join at ${hosts.join(" or ")}.`;
}
