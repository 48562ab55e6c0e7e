// Takes the pictures of the README: node browser/readme-pictures.js NOTEBOOK.html OUTDIR; scripts/readme-pictures makes the notebook and calls it.

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { Guest } from "./guest.js";
import { eventually, launch, Server } from "./harness.js";
import { studyOpera } from "./sample-games.js";

const SIZE = { viewport: { width: 1440, height: 900 } };
/** The picture of the live game is taken after this many moves. */
const MOVES = 16;

const [, , notebook, folder] = process.argv;
if (!notebook || !folder) throw new Error("usage: node browser/readme-pictures.js NOTEBOOK.html OUTDIR");
await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start(), launch()]);
try {
  const context = await browser.newContext({ ...SIZE, colorScheme: "light", reducedMotion: "reduce" });
  const guest = new Guest(await context.newPage(), server.origin);
  /** @param {string} name */
  const shoot = (name) => guest.page.screenshot({ path: join(folder, `${name}.png`) });

  await guest.open();
  await guest.page.locator(".board .piece-image").first().waitFor();
  /** @type {Set<string>} */
  const seen = new Set();
  while (seen.size < MOVES) {
    await eventually(async () => {
      const pieces = await guest.page.locator(".board .piece-image").evaluateAll((pieces) => pieces.map((piece) => piece.getAttribute("style")).join());
      if (seen.has(pieces)) throw new Error("nobody has moved");
      seen.add(pieces);
    });
  }
  await shoot("arena");

  await guest.open("/study");
  await guest.ready();
  await guest.page.keyboard.press("e");
  await studyOpera(guest);
  await shoot("study");
  guest.assertClean();

  // The notebook's page requests files from other hosts that it does not need here.
  const page = await context.newPage();
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.route(/^https?:/, (route) => route.abort());
  await page.goto(pathToFileURL(resolve(notebook)).href);
  await page.locator(".jp-OutputArea svg").first().waitFor();
  const sampled = page.locator(".jp-Cell", { hasText: "env.sample()" }).first();
  await sampled.evaluate((cell) => cell.previousElementSibling?.scrollIntoView({ block: "start" }));
  await page.screenshot({ path: join(folder, "notebook.png") });
} finally {
  await browser.close();
  await server.close();
}
