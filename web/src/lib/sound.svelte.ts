// The sounds of a table, made here: nothing is fetched, and nothing sounds before the first touch.
import { keep, kept } from "./kept";

export type Sound = "chip" | "slide" | "turn" | "open" | "close" | "win";

const NAME = "sound";

let on = $state(kept(NAME) !== "off");
let context: AudioContext | null = null;
let hiss: AudioBuffer | null = null;

function awake(): AudioContext | null {
  // A browser refuses sound before a gesture; asking earlier would only leave a warning behind.
  if (!context && (navigator as Partial<Navigator>).userActivation?.hasBeenActive !== false)
    context = new AudioContext();
  if (context?.state === "suspended") void context.resume();
  return context;
}

/** Loudness that comes at once and dies away. */
function fading(audio: AudioContext, at: number, loudness: number, length: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(audio.destination);
  return gain;
}

function tone(
  audio: AudioContext,
  hertz: number,
  after: number,
  length: number,
  loudness: number,
  shape: OscillatorType = "sine",
): void {
  const at = audio.currentTime + after;
  const oscillator = audio.createOscillator();
  oscillator.type = shape;
  oscillator.frequency.value = hertz;
  oscillator.connect(fading(audio, at, loudness, length));
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** Paper and felt: noise through a band that moves. */
function rustle(audio: AudioContext, from: number, to: number, length: number, loudness: number): void {
  if (!hiss) {
    hiss = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  }
  const at = audio.currentTime;
  const source = audio.createBufferSource();
  source.buffer = hiss;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.Q.value = 0.9;
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(band).connect(fading(audio, at, loudness, length));
  source.start(at);
  source.stop(at + length);
}

const SOUNDS: Record<Sound, (audio: AudioContext) => void> = {
  chip(audio) {
    tone(audio, 3150, 0, 0.05, 0.12, "triangle");
    tone(audio, 4620, 0.012, 0.06, 0.07, "triangle");
  },
  slide(audio) {
    rustle(audio, 900, 3200, 0.22, 0.14);
  },
  turn(audio) {
    rustle(audio, 2600, 700, 0.11, 0.22);
    tone(audio, 190, 0.07, 0.06, 0.1);
  },
  open(audio) {
    tone(audio, 880, 0, 1.1, 0.11);
    tone(audio, 2217, 0, 0.5, 0.03);
  },
  close(audio) {
    tone(audio, 659, 0, 0.5, 0.1);
    tone(audio, 494, 0.14, 0.9, 0.11);
  },
  win(audio) {
    [523, 659, 784, 1047].forEach((hertz, at) => tone(audio, hertz, at * 0.09, 0.55, 0.08, "triangle"));
  },
};

export const sound = {
  get on(): boolean {
    return on;
  },
  set on(next: boolean) {
    on = next;
    keep(NAME, next ? "on" : "off");
  },
  play(name: Sound): void {
    const audio = on ? awake() : null;
    if (audio) SOUNDS[name](audio);
  },
};
