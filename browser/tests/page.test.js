// The page itself: its size, on a phone, in both themes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { violations } from "../axe.js";
import { arena, eventually, KILLED } from "../harness.js";

const world = arena();

/** In bytes on the wire. */
const LARGEST_FIRST_LOAD = 114_400;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true };

test("the first load is small, and its board is live", async (t) => {
  const guest = await world.guest(t);
  /** @type {Promise<number>[]} */
  const sizes = [];
  guest.page.on("response", (response) => sizes.push(response.request().sizes().then(({ responseBodySize }) => responseBodySize)));
  await guest.open();
  await guest.button("Play chess").waitFor();
  await guest.page.waitForLoadState("networkidle");
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${sizes.length} responses, ${total} bytes`);
  assert.ok(total > 0 && total < LARGEST_FIRST_LOAD, `${total} bytes`);

  const board = guest.page.getByRole("img", { name: /^A live game: / });
  await board.waitFor();
  const pieces = () => guest.page.locator(".board .piece-image").evaluateAll((pieces) => pieces.map((piece) => piece.getAttribute("style")).join());
  const before = await pieces();
  await eventually(async () => assert.notEqual(await pieces(), before));
  await guest.page.getByRole("link", { name: "Watch this game" }).click();
  await guest.page.waitForURL(/\/g\//);
  await guest.status(/^You are watching\./);
});

test("on a slow connection something is shown at once, and a game can be played", async (t) => {
  const guest = await world.guest(t, PHONE);
  const line = await guest.page.context().newCDPSession(guest.page);
  await line.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000 });
  await guest.page.goto(guest.origin, { waitUntil: "commit" });
  // The page is shown before the server answers, and does not jump when it does.
  await guest.page.locator(".skeleton").first().waitFor();
  const title = guest.page.locator(".intro h1");
  const before = await title.boundingBox();
  await guest.button("Play chess").waitFor();
  assert.deepEqual(await title.boundingBox(), before);
  await guest.button("Two players, same screen").first().tap();
  await guest.page.waitForURL(/\/g\//);
  await guest.ready();
  await guest.square("e2").tap();
  await guest.square("e4").tap();
  // The piece is there at once; the server's answer comes later.
  await guest.pieceIsDrawnOn("e4");
  await guest.record(["e4"]);
});

test("on a phone nothing is wider than the screen, and fingers move pieces", async (t) => {
  const guest = await world.guest(t, PHONE);
  const width = () => guest.page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth));
  const boardBox = () => guest.page.locator(".board").boundingBox();
  await guest.open();
  await guest.button("Play chess").waitFor();
  assert.equal(await width(), 390);
  assert.equal((await boardBox())?.width, 390);

  await guest.openOptions("Chess");
  await guest.kind("Chess").getByRole("group", { name: "Your side" }).getByRole("radio", { name: "White" }).tap();
  await guest.button("Play chess").tap();
  await guest.status("Your turn");
  assert.equal(await width(), 390);
  const box = await boardBox();
  assert.deepEqual([box?.x, box?.width], [0, 390]);
  await guest.square("e2").tap();
  assert.deepEqual((await guest.marked("target")).sort(), ["e3", "e4"]);
  await guest.square("e4").tap();
  await eventually(async () => assert.equal((await guest.moves())[0], "e4"));
  await guest.recordHas(2);
  await guest.status("Your turn");
  await dragByFinger(guest, "a2", "a3");
  await eventually(async () => assert.equal((await guest.moves())[2], "a3"));
  await guest.recordHas(4);
  assert.deepEqual(await boardBox(), box, "the board stays where it is");
  assert.equal(await width(), 390);
});

test("lifting a finger does not press what has opened under it", async (t) => {
  const guest = await world.guest(t, PHONE);
  await guest.create("self");
  await guest.type("b4", "a5", "bxa5", "b5", "a6", "b4", "a7", "b3");
  await guest.square("a7").tap();
  await guest.square("b8").tap();
  const picker = guest.page.getByRole("dialog");
  await picker.getByRole("button", { name: /knight/ }).tap();
  await eventually(async () => assert.equal((await guest.moves()).at(-1), "axb8=N"));
});

test("nothing overflows in small windows with scrollbars", async (t) => {
  const guest = await world.guest(t);
  for (const viewport of [{ width: 320, height: 568 }, { width: 360, height: 640 }, { width: 768, height: 1024 }, { width: 844, height: 390 }]) {
    await guest.page.setViewportSize(viewport);
    const beyond = () => guest.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await guest.open();
    await guest.page.locator(".board .piece-image").first().waitFor();
    assert.equal(await beyond(), 0, `landing, ${viewport.width}`);
    await guest.create("self", { clock: "15+10" });
    await guest.type("e4", "d5", "exd5");
    assert.equal(await beyond(), 0, `game, ${viewport.width}`);
    await guest.create("self", { game: "Four-player chess", clock: "15+10" });
    await guest.type("h2-h3", "b7-c7");
    assert.equal(await beyond(), 0, `four players, ${viewport.width}`);
  }
});

/**
 * @param {import("../guest.js").Guest} guest
 * @param {string} from
 * @param {string} to
 */
async function dragByFinger(guest, from, to) {
  const [start, end] = [await guest.middle(from), await guest.middle(to)];
  const session = await guest.page.context().newCDPSession(guest.page);
  const touch = (/** @type {"touchStart" | "touchMove" | "touchEnd"} */ type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x: start.x, y: start.y }]);
  await touch("touchMove", [{ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }]);
  await touch("touchMove", [{ x: end.x, y: end.y }]);
  await touch("touchEnd", []);
}

test("the theme follows the system or the chosen setting, which is remembered", async (t) => {
  const guest = await world.guest(t, { colorScheme: "dark" });
  const ground = () => guest.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await guest.open();
  await guest.button("Play chess").waitFor();
  const dark = await ground();
  await guest.page.emulateMedia({ colorScheme: "light" });
  await eventually(async () => assert.notEqual(await ground(), dark));
  const light = await ground();
  await guest.page.emulateMedia({ colorScheme: "dark" });
  const toggle = guest.button(/^Theme: /);
  await toggle.click();
  await eventually(async () => assert.equal(await ground(), light));
  await guest.page.reload();
  await toggle.waitFor();
  assert.equal(await ground(), light);
  await toggle.click();
  assert.equal(await ground(), dark);
});

test("help and sound are toggled by keys", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  await guest.button("Play chess").waitFor();
  const help = guest.page.getByRole("dialog", { name: "Shortcuts and controls" });
  await guest.page.setViewportSize({ width: 390, height: 500 });
  await guest.page.keyboard.press("?");
  await help.waitFor();
  assert.equal(await help.evaluate((node) => node.scrollTop), 0, "it opens at the top");
  assert.ok(await help.getByRole("heading", { name: "Shortcuts and controls" }).isVisible());
  await guest.page.keyboard.press("Escape");
  await help.waitFor({ state: "hidden" });
  await guest.button(/^Sound is on/).waitFor();
  await guest.page.keyboard.press("m");
  await guest.button(/^Sound is off/).waitFor();
});

test("a key works in the moment after a dialog is closed", async (t) => {
  const guest = await world.guest(t);
  await guest.open();
  await guest.button("Play chess").waitFor();
  await guest.page.keyboard.press("?");
  await guest.page.getByRole("dialog").evaluate((/** @type {HTMLDialogElement} */ dialog) => {
    dialog.close();
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "m", bubbles: true }));
  });
  await guest.button(/^Sound is off/).waitFor();
});

test("an unknown address has a page with links", async (t) => {
  const guest = await world.guest(t);
  guest.expected = /404/;
  for (const path of ["/nothing/here", "/g/", "/%zz"]) {
    const response = await guest.page.goto(guest.origin + path);
    assert.equal(response?.status(), 404, path);
    await guest.page.getByRole("heading", { name: "Page not found" }).waitFor();
    await guest.page.getByText(`There is nothing at ${path}.`).waitFor();
    assert.equal(await guest.page.title(), "Page not found – Fourfold");
  }
  assert.deepEqual(await violations(guest), []);
  const main = guest.page.getByRole("main");
  for (const [link, heading] of /** @type {[RegExp, string][]} */ ([[/^Lobby/, "Lobby"], [/^Your games/, "Your games"], [/^Play/, "Play board games"]])) {
    await guest.open("/nowhere");
    await main.getByRole("link", { name: link }).click();
    await guest.page.getByRole("heading", { name: heading, exact: true }).waitFor();
  }
  const text = await guest.page.evaluate(() => fetch("/nowhere").then((response) => response.text()));
  assert.equal(text, "not found\n", "programs get no page");
});

test("the links of these pages are in the smallest windows", async (t) => {
  const guest = await world.guest(t, { viewport: { width: 844, height: 390 } });
  guest.expected = /404/;
  const last = guest.page.getByRole("main").getByRole("link", { name: /^Your games/ });
  /** @type {unknown[]} */
  const boxes = [];
  for (const path of ["/nothing/here", "/g/aaaaaaaaaaaa"]) {
    await guest.open(path);
    await guest.page.getByRole("heading", { name: /^(Page|Game) not found$/ }).waitFor();
    const box = await last.boundingBox();
    assert.ok(box && box.y + box.height <= 390, JSON.stringify(box));
    boxes.push(box);
  }
  assert.deepEqual(boxes[0], boxes[1], "both pages look the same");
});

test("on a phone the games come before the demo board, and the inspector last", async (t) => {
  const guest = await world.guest(t, PHONE);
  await guest.open();
  const top = async (/** @type {import("playwright-core").Locator} */ node) => (await node.boundingBox())?.y ?? NaN;
  await guest.button("Play chess").waitFor();
  assert.ok((await top(guest.button("Play chess"))) < 400, "in the first window");
  assert.ok((await top(guest.button("Play kung fu chess"))) < (await top(guest.page.locator(".board"))));
  await guest.create("bot", { bot: "Random", seat: "White" });
  const inspector = await top(guest.page.getByRole("link", { name: "Environment inspector" }));
  for (const node of [guest.button("Hint"), guest.page.getByRole("list", { name: "Moves" }), guest.page.getByRole("textbox", { name: "Type a move" })]) {
    assert.ok((await top(node)) < inspector);
  }
});

for (const [game, viewport] of /** @type {const} */ ([
  ["Chess", { width: 1440, height: 900 }],
  ["Chess", { width: 390, height: 844 }],
  ["Chess", { width: 844, height: 390 }],
  ["Four-player chess", { width: 1440, height: 900 }],
  ["Four-player chess", { width: 820, height: 1180 }],
  ["Blokus", { width: 390, height: 844 }],
])) {
  test(`notices cover neither clocks nor navigation: ${game}, ${viewport.width} by ${viewport.height}`, async (t) => {
    const guest = await world.guest(t, { viewport });
    await guest.create("bot", { game, bot: "Random", clock: "5+3" });
    await guest.status("Your turn");
    guest.expected = KILLED;
    const boxes = async (/** @type {string} */ selector) => {
      const found = await guest.page.locator(selector).evaluateAll((nodes) => nodes.filter((node) => /** @type {HTMLElement} */ (node).offsetParent).map((node) => node.getBoundingClientRect().toJSON()));
      return found.filter(({ width }) => width > 0);
    };
    const isFree = async (/** @type {string} */ notice) => {
      const [box] = await boxes(notice);
      assert.ok(box && box.left >= 0 && box.right <= viewport.width, "in the window");
      const others = [...(await boxes(".clock")), ...(await boxes(".header"))];
      assert.ok(others.length >= 3);
      for (const other of others) {
        const apart = box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top;
        assert.ok(apart, `${notice}: ${JSON.stringify([box, other])}`);
      }
    };
    await guest.press("Offer draw");
    await guest.page.locator(".toast", { hasText: /declines? the draw|do not accept/ }).waitFor();
    await isFree(".toast");
    await world.server.kill();
    await guest.page.locator(".banner", { hasText: "Reconnecting" }).waitFor();
    await isFree(".banner:not([hidden])");
    await world.server.open();
    await guest.page.locator(".banner", { hasText: "Reconnecting" }).waitFor({ state: "hidden" });
  });
}
