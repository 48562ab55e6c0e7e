// What this browser remembers. If storage is blocked, it is remembered until the page is closed.

/** @type {Map<string, string | null>} */
const memory = new Map();

/**
 * @param {string} key
 * @returns {string | null}
 */
export function read(key) {
  const known = memory.get(key);
  if (known !== undefined) return known;
  try {
    return localStorage.getItem(`fourfold.${key}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string | null} value
 */
export function store(key, value) {
  memory.set(key, value);
  try {
    if (value === null) localStorage.removeItem(`fourfold.${key}`);
    else localStorage.setItem(`fourfold.${key}`, value);
  } catch {
    // Storage is blocked or full.
  }
}
