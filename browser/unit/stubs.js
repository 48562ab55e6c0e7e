// Stubs for announcements.js and toast.js, which create elements when they are imported: announced texts go into a list.
// A test imports this file first, and then the module under test with `await import()`.

import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

/** @type {Record<string, string>} */
const STUBS = {
  "/web/app/announcements.js": "export const said = []; export const say = (text) => said.push(text); export const warn = say;",
  "/web/ui/toast.js": "export const noticed = []; export const showNotice = (text) => noticed.push(text); export const showError = (error) => noticed.push(error.message);",
};

// Node loads this file again in a separate thread, for the hook below.
if (isMainThread) register(import.meta.url);

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => Promise<object>} next
 */
export async function load(url, context, next) {
  const source = Object.entries(STUBS).find(([end]) => url.endsWith(end))?.[1];
  return source ? { format: "module", shortCircuit: true, source } : next(url, context);
}
