// What this browser remembers. A browser that forbids it forgets when the page goes, nothing else.

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
    // Then not.
  }
}
