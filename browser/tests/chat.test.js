// The chat between the players of a game.

import assert from "node:assert/strict";
import { test } from "node:test";

import { violations } from "../axe.js";
import { arena, eventually } from "../harness.js";

/** @import { Guest } from "../guest.js" */

const world = arena();

/** @param {Guest} guest */
const chat = (guest) => guest.page.getByRole("region", { name: "Chat" });

/** @param {Guest} guest @param {string[]} lines */
async function reads(guest, lines) {
  await eventually(async () => assert.deepEqual(await chat(guest).getByRole("listitem").allTextContents(), lines));
}

/** @param {Guest} guest @param {string} text */
async function say(guest, text) {
  await chat(guest).getByRole("textbox", { name: "Message" }).fill(text);
  await chat(guest).getByRole("button", { name: "Send" }).click();
}

/**
 * Starts a game between two guests with names.
 * @param {import("node:test").TestContext} t
 * @param {{game?: string, rules?: string, listed?: boolean}} [options]
 * @param {Parameters<typeof world.guest>[1]} [screen]
 */
async function twoPlayers(t, { game = "chess", rules, listed = false } = {}, screen = {}) {
  const [ada, ben] = [await world.guest(t, screen), await world.guest(t, screen)];
  for (const [guest, name] of /** @type {[Guest, string][]} */ ([[ada, "Ada"], [ben, "Ben"]])) {
    await guest.open();
    await guest.raw([{ t: "name", name }]);
  }
  await ada.make({ game, rules, opponent: "friend", seat: 0, listed });
  await ben.open(`/g/${ada.id}`);
  await ben.press("Play as black");
  await ada.button("Chat").waitFor();
  await ben.button("Chat").waitFor();
  return { ada, ben };
}

test("friends chat, with quick phrases and an unread count, and a spectator sees nothing", async (t) => {
  const { ada, ben } = await twoPlayers(t);
  const eve = await world.guest(t);
  await eve.open(`/g/${ada.id}`);
  await eve.status("You are watching. White to move");
  await ada.press("Chat");
  await ada.press("Good luck");
  await say(ada, "<img src=x onerror=a()> & “you”");
  await reads(ada, ["You Good luck", "You <img src=x onerror=a()> & “you”"]);
  await ben.button("Chat, 2 unread messages").waitFor();
  await ben.says(ben.page.locator("[aria-live=polite]"), "Ada: <img src=x onerror=a()> & “you”");
  await ben.press("Chat, 2 unread messages");
  await reads(ben, ["Ada Good luck", "Ada <img src=x onerror=a()> & “you”"]);
  assert.equal(await ben.page.locator("img:not(.qr)").count(), 0);
  await ben.button("Chat").waitFor();
  await say(ben, "Thanks");
  await reads(ada, ["You Good luck", "You <img src=x onerror=a()> & “you”", "Ben Thanks"]);
  for (const guest of [ada, ben]) assert.deepEqual(await violations(guest), []);
  assert.ok(await eve.button(/^Chat/).isHidden());
  assert.equal(await eve.page.getByText("Good luck").count(), 0);

  // The keys of the board do not work while somebody writes; Escape closes the window.
  await ada.page.getByRole("textbox", { name: "Message" }).press("f");
  assert.equal(await ada.page.getByRole("textbox", { name: "Message" }).inputValue(), "f");
  await ada.page.keyboard.press("Escape");
  await chat(ada).waitFor({ state: "hidden" });
  assert.equal(await ada.page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Chat");

  // After a reload the lines are still there, and they are not new.
  await ada.page.reload();
  await ada.press("Chat");
  await reads(ada, ["You Good luck", "You <img src=x onerror=a()> & “you”", "Ben Thanks"]);
  // A player who has turned it off sees nothing.
  await ben.press("Turn off");
  await chat(ada).getByText("Your opponent has the chat off.").waitFor();
  assert.deepEqual(await violations(ben), []);
  await ada.press("Well played");
  await reads(ada, ["You Good luck", "You <img src=x onerror=a()> & “you”", "Ben Thanks", "You Well played"]);
  await ben.press("Turn on chat");
  await ada.press("Hello");
  await reads(ben, ["Ada Good luck", "Ada <img src=x onerror=a()> & “you”", "You Thanks", "Ada Hello"]);
  assert.equal(await ben.page.getByText("Well played").count(), 1, "only the quick phrase");
});

test("too many messages are refused, and the last one can be sent again", async (t) => {
  const { ada } = await twoPlayers(t);
  await ada.press("Chat");
  const reason = chat(ada).getByRole("alert");
  // At once: a person who types can hardly be too fast.
  await chat(ada).getByRole("textbox", { name: "Message" }).evaluate((/** @type {HTMLInputElement} */ input) => {
    for (let count = 0; count < 20; count += 1) {
      input.value = "again and again";
      input.form?.requestSubmit();
    }
  });
  await ada.says(reason, "Too many chat messages: wait a moment.");
  assert.equal(await chat(ada).getByRole("textbox", { name: "Message" }).inputValue(), "again and again");
});

test("with strangers from the lobby the chat is off until it is turned on, also in kung fu chess", async (t) => {
  const { ada, ben } = await twoPlayers(t, { game: "kung-fu", rules: "standard", listed: true });
  await ada.press("Chat");
  await chat(ada).getByText("Chat is off: you do not see messages, and cannot send any.").waitFor();
  await ada.press("Turn on chat");
  await chat(ada).getByText("Your opponent has the chat off.").waitFor();
  await ada.press("Hello");
  await reads(ada, ["You Hello"]);
  await ben.press("Chat");
  await ben.press("Turn on chat");
  await chat(ada).getByText("Your opponent has the chat off.").waitFor({ state: "hidden" });
  await ada.press("Good game");
  await reads(ben, ["Ada Good game"]);
});

test("the switch is remembered between games, with friends and with strangers", async (t) => {
  const { ada, ben } = await twoPlayers(t);
  const again = async (/** @type {boolean} */ listed) => {
    await ada.make({ game: "chess", rules: undefined, opponent: "friend", seat: 0, listed });
    await ben.open(`/g/${ada.id}`);
    await ben.press("Play as black");
    await ada.press("Chat");
  };
  const [on, off] = [ada.button("Turn off"), ada.button("Turn on chat")];
  await ada.press("Chat");
  await on.click();
  await off.waitFor();
  await again(false);
  await off.waitFor();
  await ben.press("Chat");
  await chat(ben).getByText("Your opponent has the chat off.").waitFor();
  await again(true);
  await off.click();
  await on.waitFor();
  await again(true);
  await on.waitFor();
  await again(false);
  await off.waitFor();
  await off.click();
  await on.waitFor();
  await ada.page.reload();
  await ada.press("Chat");
  await on.waitFor();
});

for (const viewport of [{ width: 1440, height: 900 }, { width: 820, height: 1180 }, { width: 390, height: 844 }, { width: 844, height: 390 }]) {
  test(`the chat neither moves anything nor covers the board, ${viewport.width} by ${viewport.height}`, async (t) => {
    const { ada, ben } = await twoPlayers(t, {}, { viewport });
    await ada.type("e4");
    await ada.page.evaluate(() => scrollTo(0, 0));
    const nodes = [ada.page.locator(".board"), ada.button("Offer draw"), ada.page.getByRole("list", { name: "Moves" }), ada.button("Abort game")];
    const boxes = () => Promise.all(nodes.map((node) => node.boundingBox()));
    await ben.press("Chat");
    const before = await boxes();
    await ben.press("Hello");
    await ada.button("Chat, 1 unread message").waitFor();
    assert.deepEqual(await boxes(), before);
    await ada.button("Chat, 1 unread message").evaluate((/** @type {HTMLElement} */ button) => button.click());
    await chat(ada).waitFor();
    await reads(ada, ["Ben Hello"]);
    assert.deepEqual(await boxes(), before);
    const [board, open] = [before[0], await chat(ada).boundingBox()];
    assert.ok(board && open);
    assert.ok(open.x >= board.x + board.width || open.y >= board.y + board.height, "the whole board can be seen");
    assert.ok(open.y + open.height <= viewport.height && open.x + open.width <= viewport.width + 1, "and the whole chat");
    const send = await chat(ada).getByRole("button", { name: "Send" }).boundingBox();
    assert.ok(send && send.y + send.height <= open.y + open.height);
    assert.ok((await chat(ada).getByRole("list").boundingBox().then((box) => box?.height ?? 0)) > 60, "there is room for messages");
  });
}
