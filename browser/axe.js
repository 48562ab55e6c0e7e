// Accessibility checks with axe-core.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const DESKTOP = { width: 1280, height: 800 };
const TABLET = { width: 820, height: 1180 };
const PHONE = { width: 390, height: 844 };

/**
 * Where views are checked: by default two sizes and themes, with `./test --full` all combinations.
 * @type {{device: string, viewport: {width: number, height: number}, colorScheme: "light" | "dark"}[]}
 */
export const LOOKS = [
  { device: "desktop", viewport: DESKTOP, colorScheme: "light" },
  { device: "phone", viewport: PHONE, colorScheme: "dark" },
];
if (process.env.FOURFOLD_FULL) {
  LOOKS.push(
    { device: "desktop", viewport: DESKTOP, colorScheme: "dark" },
    { device: "phone", viewport: PHONE, colorScheme: "light" },
    { device: "tablet", viewport: TABLET, colorScheme: "light" },
    { device: "tablet", viewport: TABLET, colorScheme: "dark" },
  );
}

/**
 * @param {import("./guest.js").Guest} guest
 * @returns {Promise<string[]>} the violations, one line for each rule
 */
export async function violations(guest) {
  await guest.page.evaluate(AXE);
  return guest.page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (globalThis).axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes: [node, ...others] }) => {
      const why = [...node.any, ...node.all, ...node.none][0]?.message ?? "";
      return `${id}: ${why}: ${node.html.slice(0, 200)} and ${others.length} more`;
    });
  });
}
