// A server and a browser for the tests of one file, and guests who use them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

import { Guest } from "./guest.js";

/** The longest wait for anything, in milliseconds. */
export const PATIENCE = 60_000;

/**
 * Errors that a page may log when the server was killed. If the server returns between a refused socket and the
 * request that asks for the reason, that request to /ws is answered with an error.
 */
export const KILLED = /WebSocket|ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|400.*\/ws\?v=/;

/** The windows in which the page must look right: desktop, tablet, phone, a phone in landscape, a small phone. */
export const WINDOWS = [{ width: 1440, height: 900 }, { width: 820, height: 1180 }, { width: 390, height: 844 }, { width: 844, height: 390 }, { width: 360, height: 640 }];

const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const BINARY = process.env.FOURFOLD ?? join(ROOT, "target/debug/fourfold");
// The headless shell draws no window around the page, and takes half as long as the others.
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const QUIET = ["--disable-dev-shm-usage", "--disable-audio-output", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// A test that runs too long gets a SIGTERM; the processes that it started must end with it.
process.once("SIGTERM", () => process.exit(1));

/** The arena as a process, with a database that lasts as long as this object. */
export class Server {
  /** @param {string[]} [options] of the command line */
  static async start(options = []) {
    const server = new Server(await mkdtemp(join(tmpdir(), "fourfold-browser-")), options);
    await server.open();
    return server;
  }

  /**
   * @param {string} folder
   * @param {string[]} [options]
   */
  constructor(folder, options = []) {
    this.folder = folder;
    this.options = options;
    /** The database. */
    this.data = join(folder, "arena.db");
    this.port = 0;
    /** What it wrote to stderr. */
    this.log = "";
  }

  /** Starts it, on the same port and with the same database as before. */
  async open() {
    const options = ["--port", String(this.port), "--no-open", "--data", this.data, ...this.options];
    this.process = spawn(BINARY, options, { stdio: ["ignore", "pipe", "pipe"] });
    this.process.stderr.setEncoding("utf8").on("data", (text) => (this.log += text));
    process.once("exit", () => this.process.kill("SIGKILL"));
    this.ended = new Promise((resolve) => this.process.once("close", resolve));
    this.origin = await this.address();
    this.port = Number(new URL(this.origin).port);
  }

  /** Waits for the address that it prints. */
  address() {
    return new Promise((resolve, reject) => {
      let said = "";
      this.process.once("error", reject);
      this.process.once("close", () => reject(new Error(`the server ended at once: ${said}${this.log}`)));
      this.process.stdout.setEncoding("utf8").on("data", (text) => {
        said += text;
        const address = /running at (http:\/\/\S+)/.exec(said)?.[1];
        if (address) resolve(address.replace(/\/$/, ""));
      });
    });
  }

  /** Kills it, without a chance to clean up. */
  async kill() {
    this.process.kill("SIGKILL");
    await this.ended;
  }

  async close() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
    assert.doesNotMatch(this.log, /panicked|ERROR/);
  }
}

function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
  assert.ok(found, `no browser: set $CHROMIUM, or install one of ${BROWSERS.join(", ")}`);
  return found;
}

export function launch() {
  // Headless by flag: Playwright's own option needs a second program that is not installed.
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", ...QUIET];
  return chromium.launch({ executablePath: findBrowser(), headless: false, args });
}

/**
 * Starts a server and a browser for all tests of a file. `guest` opens a fresh browser profile, which is
 * closed after the test; the test fails if there were unexpected errors on its page.
 * The server is started with `options`.
 */
export function arena(/** @type {string[]} */ ...options) {
  const world = {
    /** @param {import("node:test").TestContext} test */
    async guest(test, { origin = world.server.origin, ...options } = {}) {
      const context = await world.browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
      context.setDefaultTimeout(PATIENCE);
      const guest = new Guest(await context.newPage(), origin);
      test.after(async () => {
        await context.close();
        guest.assertClean();
      });
      return guest;
    },
  };
  before(async () => {
    [world.server, world.browser] = await Promise.all([Server.start(options), launch()]);
  });
  after(async () => {
    await world.browser?.close();
    await world.server?.close();
  });
  return world;
}

/**
 * Retries a check until it passes.
 * @param {() => unknown} check throws unless it passes
 */
export async function eventually(check) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
