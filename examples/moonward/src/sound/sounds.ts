import type { RunEvent } from '../world/run.ts';

/** A scale without wrong notes, in semitones: each further lamp of a chain sounds one step higher. */
const PENTATONIC = [0, 2, 4, 7, 9];
const ROOT_HZ = 220;

/**
 * All sounds, computed when they are played. Browsers allow sounds only after the player's first press, on
 * which the game must call `wake`.
 */
export class Sounds {
  #context: AudioContext | null = null;
  #output: GainNode | null = null;
  #muted: boolean;

  constructor(muted: boolean) {
    this.#muted = muted;
  }

  get muted(): boolean {
    return this.#muted;
  }

  set muted(muted: boolean) {
    this.#muted = muted;
    const { currentTime = 0 } = this.#context ?? {};
    this.#output?.gain.setTargetAtTime(muted ? 0 : 0.5, currentTime, 0.02);
  }

  wake(): void {
    if (!this.#context) {
      this.#context = new AudioContext();
      this.#output = this.#context.createGain();
      this.#output.gain.value = this.#muted ? 0 : 0.5;
      this.#output.connect(this.#context.destination);
    }
    if (this.#context.state === 'suspended') void this.#context.resume();
  }

  play(event: RunEvent): void {
    switch (event.kind) {
      case 'light': {
        const step = event.chain - 1;
        const octave = Math.min(Math.floor(step / PENTATONIC.length), 3);
        this.#pluck(PENTATONIC[step % PENTATONIC.length]! + 12 * octave, 0.5);
        if (event.leapt >= 2) this.#pluck(PENTATONIC[step % 5]! + 12 * octave + 7, 0.3, 0.08);
        break;
      }
      case 'catch':
        this.#rustle(2_400, 0.05, 0.08);
        break;
      case 'release':
        this.#rustle(1_300, 0.14, 0.12);
        break;
      case 'pollen':
        this.#pluck(31 + Math.floor(Math.random() * 3) * 2, 0.14);
        break;
      case 'burn_out':
        this.#glide(240, 70, 0.5, 0.3);
        this.#rustle(700, 0.4, 0.25);
        break;
      case 'bump':
        this.#glide(150, 60, 0.16, 0.5);
        break;
      case 'bat':
        this.#glide(900, 180, 0.3, 0.25);
        break;
      case 'second_wind':
        for (const [index, note] of [0, 4, 7, 12, 16].entries()) {
          this.#pluck(note, 0.4, index * 0.05);
        }
        break;
      case 'weather':
        this.#rustle(500, 1.4, 0.4);
        for (const [index, note] of [12, 7, 3].entries()) this.#pluck(note, 0.3, index * 0.14);
        break;
      case 'over':
        this.#glide(330, 55, 1.1, 0.4);
        this.#rustle(900, 0.9, 0.3);
    }
  }

  /** Plays a small fanfare for an achievement. */
  playFanfare(): void {
    for (const [index, note] of [12, 16, 19, 24].entries()) {
      this.#pluck(note, 0.35, index * 0.09);
    }
  }

  #pluck(semitones: number, volume: number, delay_s = 0): void {
    this.#tone('triangle', ROOT_HZ * 2 ** (semitones / 12), null, 0.6, volume, delay_s);
    this.#tone('sine', 2 * ROOT_HZ * 2 ** (semitones / 12), null, 0.25, volume * 0.4, delay_s);
  }

  #glide(from_hz: number, to_hz: number, seconds: number, volume: number): void {
    this.#tone('triangle', from_hz, to_hz, seconds, volume, 0);
  }

  #tone(
    type: OscillatorType,
    hz: number,
    to_hz: number | null,
    seconds: number,
    volume: number,
    delay_s: number,
  ): void {
    if (!this.#context || !this.#output || this.#muted) return;
    const start = this.#context.currentTime + delay_s;
    const oscillator = new OscillatorNode(this.#context, { type, frequency: hz });
    if (to_hz !== null) oscillator.frequency.exponentialRampToValueAtTime(to_hz, start + seconds);
    oscillator.connect(this.#envelope(start, seconds, volume));
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }

  /** Plays noise through a filter, for wings and wind. */
  #rustle(hz: number, seconds: number, volume: number): void {
    if (!this.#context || !this.#output || this.#muted) return;
    const start = this.#context.currentTime;
    const length = Math.ceil(seconds * this.#context.sampleRate);
    const buffer = this.#context.createBuffer(1, length, this.#context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < length; index++) samples[index] = Math.random() * 2 - 1;
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    const filter = new BiquadFilterNode(this.#context, { type: 'bandpass', frequency: hz, Q: 0.9 });
    source.connect(filter).connect(this.#envelope(start, seconds, volume));
    source.start(start);
  }

  #envelope(start: number, seconds: number, volume: number): GainNode {
    const gain = new GainNode(this.#context!, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + Math.min(0.02, seconds / 3));
    gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    gain.connect(this.#output!);
    return gain;
  }
}
