// Pictures of every view, to be looked at by a person: node browser/screenshots.js OUTDIR

import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { Guest } from "./guest.js";
import { launch, Server } from "./harness.js";

const SIZES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
};

/** Each begins where the one before it left the page. @type {Record<string, (guest: Guest) => Promise<void>>} */
const VIEWS = {
  landing: async (guest) => {
    await guest.open();
    await guest.page.getByRole("img", { name: /^A live game: / }).waitFor();
    await guest.page.locator(".board .man").first().waitFor();
  },
  invitation: (guest) => guest.create("friend", { seat: "White", clock: "5+3" }),
  game: async (guest) => {
    await guest.create("self", { clock: "10+0" });
    await guest.type("e4", "d5", "exd5", "e6", "dxe6", "Bd6", "exf7+");
    await guest.square("e8").click();
  },
  refusal: async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.notes(/check/, () => guest.drag("a7", "a6"));
  },
  promotion: async (guest) => {
    await guest.type("Kd7");
    await guest.click("f7", "g8");
    await guest.page.getByRole("dialog").waitFor();
  },
  earlier: async (guest) => {
    await guest.page.keyboard.press("Escape");
    await guest.press("One move back");
    await guest.button("Back to the game").waitFor();
  },
  end: async (guest) => {
    await guest.press("Back to the game");
    await guest.resign();
    await guest.card.waitFor();
  },
  bot: async (guest) => {
    await guest.create("bot", { seat: "Black", clock: "None" });
    await guest.recordHas(1);
    await guest.drag("g8", "f6");
    await guest.recordHas(3);
    await guest.drag("g7", "g5", "right");
    await guest.drag("e4", "e4", "right");
  },
  help: async (guest) => {
    await guest.press("Keys and help");
    await guest.page.getByRole("dialog").waitFor();
  },
};

const folder = process.argv[2];
if (!folder) throw new Error("usage: node browser/screenshots.js OUTDIR");
await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start(), launch()]);
try {
  for (const [device, size] of Object.entries(SIZES)) {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const context = await browser.newContext({ ...size, colorScheme, reducedMotion: "reduce" });
      const guest = new Guest(await context.newPage(), server.origin);
      for (const [view, reach] of Object.entries(VIEWS)) {
        await reach(guest);
        await guest.page.screenshot({ path: join(folder, `${view}-${device}-${colorScheme}.png`) });
      }
      await context.close();
      guest.assertClean();
    }
  }
} finally {
  await browser.close();
  await server.close();
}
