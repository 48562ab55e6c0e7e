// Limits, foreign sites and failures: the page shows the reason, and everybody else plays on.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, rename, rmdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { arena, eventually, KILLED } from "../harness.js";

const world = arena("--max-connections-per-guest", "2", "--max-games-per-guest", "3", "--max-messages-per-second", "10");

/** @param {import("../guest.js").Guest} guest @param {string | RegExp} text */
const banner = (guest, text) => guest.page.locator(".banner:visible", { hasText: text });

test("a page over the limit is refused with the reason, and accepted when there is room", async (t) => {
  const ada = await world.guest(t);
  await ada.create("self");
  const second = await ada.window();
  await second.open("/lobby");
  await second.page.getByRole("heading", { name: "Lobby" }).waitFor();
  const third = await ada.window();
  third.expected = /429/;
  await third.open("/lobby");
  await banner(third, "You have too many pages open: close one. Reconnecting…").waitFor();
  await ada.type("e4");
  await second.page.close();
  await banner(third, /./).waitFor({ state: "detached" });
  await third.page.getByText("No open games.").first().waitFor();
  third.assertClean();
});

test("a game over the limit is refused with the reason, and finishing one makes room", async (t) => {
  const ada = await world.guest(t);
  for (let game = 0; game < 3; game += 1) await ada.create("self");
  const last = `/g/${ada.id}`;
  await ada.open();
  await ada.openOptions("Chess");
  await ada.kind("Chess").getByRole("button", { name: "Two players, same screen" }).click();
  await ada.page.locator(".toast", { hasText: "You have 3 unfinished games: finish or leave one first." }).waitFor();
  await ada.open(last);
  await ada.ready();
  await ada.resign();
  await ada.card.waitFor();
  await ada.create("self");
});

test("a client that sends too much is disconnected, and others are not affected", async (t) => {
  const [ada, eve] = [await world.guest(t), await world.guest(t)];
  await ada.create("self");
  eve.expected = /429|WebSocket/;
  await eve.open();
  const [refused, last] = await eve.page.evaluate(async () => {
    let refused = 0;
    /** @type {any} */
    let last = null;
    const connect = () => {
      const socket = new WebSocket(`ws://${location.host}/ws?v=3`);
      socket.addEventListener("message", ({ data }) => {
        last = JSON.parse(data);
        refused += Number(last.why === "too many messages: wait a moment");
      });
      const opened = new Promise((resolve) => ["open", "close"].forEach((event) => socket.addEventListener(event, () => resolve(event === "open"))));
      return { socket, opened, closed: new Promise((resolve) => socket.addEventListener("close", resolve)) };
    };
    // The page that was just left may still count.
    let { socket, opened, closed } = connect();
    while (!(await opened)) ({ socket, opened, closed } = connect());
    // Until the server disconnects: a slow machine may read the first thousands within the limit.
    const flood = setInterval(() => {
      for (let n = 0; n < 1000; n += 1) socket.send(n % 2 ? "{" : JSON.stringify({ t: "sync", n }));
    }, 100);
    await closed;
    clearInterval(flood);
    return [refused, last];
  });
  assert.ok(refused >= 500, `${refused} refused`);
  assert.deepEqual(last, { t: "bye", why: "too many messages", retry: false });
  await ada.type("e4", "e5");
});

test("a page of another site gets no WebSocket, no data and no frame", async (t) => {
  const frame = `<!doctype html><title>Elsewhere</title><iframe src="${world.server.origin}/"></iframe>`;
  const elsewhere = createServer((_, response) => response.end(frame)).listen(0, "127.0.0.1");
  t.after(() => elsewhere.close());
  await once(elsewhere, "listening");
  const eve = await world.guest(t);
  await eve.open();
  eve.expected = /foreign request|403|frame-ancestors|WebSocket|CORS|ERR_FAILED|ERR_BLOCKED|refused to connect|Framing/;
  const { port } = /** @type {import("node:net").AddressInfo} */ (elsewhere.address());
  await eve.page.goto(`http://localhost:${port}/`);
  const host = new URL(world.server.origin).host;
  const [socket, words] = await eve.page.evaluate(async (host) => {
    const socket = new WebSocket(`ws://${host}/ws?v=3`);
    const outcome = await new Promise((resolve) => {
      socket.addEventListener("open", () => resolve("open"));
      socket.addEventListener("error", () => resolve("refused"));
    });
    return [outcome, await fetch(`http://${host}/metrics`).then((answer) => answer.text()).catch(() => "refused")];
  }, host);
  assert.deepEqual([socket, words], ["refused", "refused"]);
  const inner = eve.page.frames().find((frame) => frame !== eve.page.mainFrame());
  assert.equal(await inner?.locator(".card, header").count(), 0, "nothing of ours is in the frame");
});

test("injected scripts do not run", async (t) => {
  const ada = await world.guest(t);
  ada.expected = /Content Security Policy|violates|unsafe-eval/;
  await ada.create("self");
  const ran = await ada.page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.ran = 'inline'";
    document.body.append(script);
    document.body.insertAdjacentHTML("beforeend", `<img alt="" src="data:," onerror="window.ran = 'handler'">`);
    // The driver's own calls may use eval; code that runs after them may not.
    // oxlint-disable-next-line no-eval
    const evaluated = new Promise((resolve) => setTimeout(() => resolve((0, eval)("window.ran = 'eval'"))));
    await Promise.race([evaluated, new Promise((resolve) => setTimeout(resolve, 200))]);
    return /** @type {any} */ (window).ran ?? null;
  });
  assert.equal(ran, null);
  await ada.type("e4");
});

test("health and metrics are available to operators", async (t) => {
  const ada = await world.guest(t);
  await ada.create("self");
  const read = (/** @type {string} */ path) => ada.page.evaluate((path) => fetch(path).then((answer) => answer.text()), path);
  assert.equal(await read("/healthz"), "ok\n");
  await eventually(async () => assert.match(await read("/metrics"), /^fourfold_games\{game="chess"\} [1-9]/m));
});

test("if the disk fails, play continues in memory with a notice until the disk works again", async (t) => {
  const ada = await world.guest(t);
  ada.expected = KILLED;
  await ada.open();
  await world.server.kill();
  const aside = join(world.server.folder, "aside");
  await mkdir(aside);
  for (const end of ["", "-wal", "-shm"]) await rename(world.server.data + end, join(aside, `arena.db${end}`)).catch(() => {});
  await mkdir(world.server.data);
  await world.server.open();
  await ada.create("self");
  const notice = banner(ada, "Games are not being saved: the database cannot be opened. You can keep playing, but games are lost if the server stops.");
  await notice.waitFor();
  await ada.type("e4", "e5");
  await rmdir(world.server.data);
  await notice.waitFor({ state: "detached" });
  await ada.type("Nf3");
  await world.server.kill();
  assert.match(world.server.log, /games are kept in memory until the database can be used/);
  world.server.log = "";
  await world.server.open();
  await ada.record(["e4", "e5", "Nf3"]);
});
