// Invitations say who can open them: only this computer, or with one press the network too.

import assert from "node:assert/strict";
import { test } from "node:test";

import { violations } from "../axe.js";
import { arena, eventually, WINDOWS } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest */
const invitation = (guest) => guest.page.getByRole("region", { name: "Invite" });

/** @param {Guest} guest */
const scope = (guest) => invitation(guest).getByRole("status");

/** @param {Guest} guest */
const picture = (guest) => invitation(guest).getByRole("img");

/** @param {Guest} guest */
const link = (guest) => guest.page.getByRole("textbox", { name: "Link to this game" });

/**
 * Creates a game for a friend and opens it to the network; null, and the test is skipped, if there is no network.
 * @param {import("node:test").TestContext} t
 * @param {Guest} ada
 */
async function opened(t, ada) {
  await ada.create("friend", { seat: "White" });
  await ada.says(scope(ada), /^This link works on this computer only\. /);
  assert.equal(await link(ada).inputValue(), `${world.server.origin}/g/${ada.id}`);
  assert.equal(await picture(ada).count(), 0);
  if (/not on a network/.test((await scope(ada).textContent()) ?? "")) {
    assert.ok(await ada.button("Share on the local network").isHidden());
    t.skip("this computer is not on a network");
    return null;
  }
  await ada.press("Share on the local network");
  await eventually(async () => assert.notEqual(await link(ada).inputValue(), `${world.server.origin}/g/${ada.id}`));
  return new URL(await link(ada).inputValue());
}

/** @param {Guest} guest @param {string} address */
async function showsPicture(guest, address) {
  await guest.page.getByRole("img", { name: `QR code of ${address}`, exact: true }).waitFor();
  const loaded = () => picture(guest).evaluate((image) => /** @type {HTMLImageElement} */ (image).naturalWidth > 0);
  await eventually(async () => assert.ok(await loaded()));
}

test("one click shares the game on the network, a guest plays from there, and sharing stops again", async (t) => {
  const ada = await world.guest(t);
  const address = await opened(t, ada);
  if (!address) return;
  assert.equal(address.port, new URL(world.server.origin).port);
  await showsPicture(ada, address.href);
  await ada.says(scope(ada), /^Scan the code with a phone, or open the link on any device on the same network\.$/);
  assert.deepEqual(await violations(ada), []);

  const ben = await world.guest(t, { origin: address.origin });
  // Chromium warns that it ignores this header without TLS.
  ben.expected = /Cross-Origin-Opener-Policy/;
  await ben.page.goto(address.href);
  await ben.ready();
  await ben.press("Play as black");
  await ada.status("Your turn");
  await ada.type("e4");
  await ben.status("Your turn");
  await ben.type("e5");
  await ada.record(["e4", "e5"]);

  await ben.create("friend", { seat: "White" });
  await ben.says(scope(ben), "Scan the code, or open the link: it works for everyone who can reach this address.");
  await showsPicture(ben, `${address.origin}/g/${ben.id}`);
  assert.ok(await ben.button("Stop sharing on the network").isHidden());
  const [answer] = await ben.raw([{ t: "network", open: false }]);
  assert.equal(answer.why, "only a browser on the server's own computer can do that");

  const other = await ada.window();
  await other.create("friend", { seat: "White" });
  await showsPicture(other, `${address.origin}/g/${other.id}`);
  ben.expected = /Cross-Origin-Opener-Policy|ERR_CONNECTION_(REFUSED|RESET|CLOSED)|WebSocket/;
  await other.press("Stop sharing on the network");
  await other.says(scope(other), /^This link works on this computer only\. /);
  assert.equal(await link(other).inputValue(), `${world.server.origin}/g/${other.id}`);
  await picture(other).waitFor({ state: "hidden" });
  await ben.page.getByText("The server is no longer open to the network. Reconnecting…").waitFor();
  await ada.type("Nf3");
  await ada.status("Black to move");
  other.assertClean();

  await other.press("Share on the local network");
  await showsPicture(other, `${address.origin}/g/${other.id}`);
  await ben.page.getByText("The server is no longer open to the network. Reconnecting…").waitFor({ state: "hidden" });
  await other.press("Stop sharing on the network");
  await other.button("Share on the local network").waitFor();
});

test("the buttons of open seats have one line of text in every window", async (t) => {
  const ada = await world.guest(t);
  await ada.create("friend", { game: "Four-player chess", seat: "Red" });
  const buttons = ada.page.locator(".open-seats").getByRole("button");
  for (const viewport of WINDOWS) {
    await ada.page.setViewportSize(viewport);
    const heights = await buttons.evaluateAll((buttons) => buttons.map((button) => button.clientHeight));
    assert.ok(heights.length === 6 && heights.every((height) => height < 40), `${viewport.width}: ${heights}`);
    const [card, last] = [await invitation(ada).boundingBox(), await buttons.last().boundingBox()];
    assert.ok(card && last && last.x + last.width <= card.x + card.width);
  }
});

test("seat links use the network address, and the invitation fits on small screens", async (t) => {
  const ada = await world.guest(t, { viewport: { width: 320, height: 640 } });
  const address = await opened(t, ada);
  if (!address) return;
  await ada.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await ada.create("friend", { game: "Four-player chess", seat: "Red" });
  await showsPicture(ada, `${address.origin}/g/${ada.id}`);
  await ada.press("Copy link for blue");
  await eventually(async () => assert.equal(await ada.page.evaluate(() => navigator.clipboard.readText()), `${address.origin}/g/${ada.id}?seat=1`));
  for (const width of [320, 390, 820, 1440]) {
    await ada.page.setViewportSize({ width, height: 900 });
    const over = await ada.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over} pixels too wide at ${width}`);
    const [card, code] = [await invitation(ada).boundingBox(), await picture(ada).boundingBox()];
    assert.ok(card && code && code.width >= 140 && code.x >= card.x && code.x + code.width <= card.x + card.width);
  }
  await ada.press("Stop sharing on the network");
  await ada.button("Share on the local network").waitFor();
});
