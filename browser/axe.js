// What axe-core finds wrong with a page for those who cannot see it, or not well.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * @param {import("./guest.js").Guest} guest
 * @returns {Promise<string[]>} what is wrong, a line for each rule
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
