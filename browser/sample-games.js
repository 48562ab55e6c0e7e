// Sample games, as PGN.

export const LEGAL = `[White "Légal"] [Black "Saint Brie"] [Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 $6 {pins the knight, for the moment} (3... Be7 {is safer} 4. O-O Nf6 (4... h6 5. d4) 5. d3) (3... Nc6)
4. Nc3 g6 5. Nxe5! {The queen is not what it seems.} Bxd1 (5... dxe5 6. Qxg4) 6. Bxf7+ Ke7 7. Nd5# 1-0`;

export const OPERA = `[White "Morphy"] [Black "Duke of Brunswick, Count Isouard"] [Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

/**
 * Shows the Opera game on the study board after its ninth move, with the mistakes and the engine's lines.
 * @param {import("./guest.js").Guest} guest on the study board
 */
export async function studyOpera(guest) {
  await guest.paste(OPERA);
  await guest.says(guest.page.locator("h1"), /^Morphy/);
  await guest.page.keyboard.press("j");
  for (let step = 0; step < 18; step += 1) await guest.page.keyboard.press("ArrowRight");
  await guest.says(guest.page.locator(".move[aria-current]"), /^b5/);
  await guest.engineIsDone();
  await guest.page.locator(".graph-progress").waitFor({ state: "hidden" });
}
