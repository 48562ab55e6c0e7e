// What this browser remembers. A browser that forbids it forgets, nothing else.

/**
 * @param {string} key
 * @returns {string | null}
 */
export function read(key) {
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
  try {
    if (value === null) localStorage.removeItem(`fourfold.${key}`);
    else localStorage.setItem(`fourfold.${key}`, value);
  } catch {
    // Then not.
  }
}
