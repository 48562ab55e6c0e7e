// Quiet synthesized sounds: a knock for a move, two for a capture, three notes at the end.
// Silent until the first user gesture, as browsers require.

import { read, store } from "./preferences.js";

/** @type {AudioContext | null} */
let audio = null;
let muted = read("mute") === "yes";

/** Enables sound at the first gesture. */
export function install() {
  const wake = () => {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  };
  for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, wake, { capture: true });
}

export function isMuted() {
  return muted;
}

/** @returns {boolean} whether it is muted now */
export function toggleMute() {
  muted = !muted;
  store("mute", muted ? "yes" : "no");
  return muted;
}

/** @param {"move" | "capture" | "end"} what */
export function play(what) {
  if (muted || !audio || audio.state !== "running") return;
  const now = audio.currentTime;
  if (what === "end") {
    [392, 494, 587].forEach((pitch, index) => tone("triangle", pitch, pitch, now + 0.11 * index, 0.5, 0.09));
  } else {
    knock(now, 210);
    if (what === "capture") knock(now + 0.06, 160);
  }
}

/**
 * @param {number} at
 * @param {number} pitch
 */
function knock(at, pitch) {
  tone("triangle", pitch, pitch / 2, at, 0.09, 0.22);
  tone("sine", 4 * pitch, 2 * pitch, at, 0.025, 0.06);
}

/**
 * @param {OscillatorType} type
 * @param {number} from
 * @param {number} to
 * @param {number} at
 * @param {number} length
 * @param {number} loudness
 */
function tone(type, from, to, at, length, loudness) {
  if (!audio) return;
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.type = type;
  source.frequency.setValueAtTime(from, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loudness, at + 0.004);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
