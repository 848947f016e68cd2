import { HoldInput } from './hold-input.ts';
import type { Sounds } from './sound/sounds.ts';
import { Picture } from './view/picture.ts';
import { createRun } from './world/run.ts';
import type { Run, RunEvent } from './world/run.ts';
import { setDifficulty, stepRun } from './world/step.ts';
import { STEP_S } from './world/units.ts';
import { NO_UPGRADES } from './world/upgrades.ts';
import type { UpgradeLevels } from './world/upgrades.ts';
import { MILD } from './world/weather.ts';
import type { Difficulty } from './world/weather.ts';

/**
 * The phases of the game:
 * - `title`: a night has not begun; the world is behind the title or another screen
 * - `ready`: the moth waits on its roof for the first press
 * - `flying`, `paused`
 * - `over`: the dawn has caught the moth; the picture continues for a moment
 */
export type Phase = 'title' | 'ready' | 'flying' | 'paused' | 'over';

/** The time from the end of a night until its results appear. */
const FAREWELL_S = 1.1;
/** After a longer pause between frames, the world does not catch up, but continues where it was. */
const LONGEST_FRAME_S = 0.1;

export interface GameOptions {
  canvas: HTMLCanvasElement;
  sounds: Sounds;
  /** Tells whether the player wants no decorative motion. */
  still: () => boolean;
  /** Called with each event of a run. */
  onEvent: (event: RunEvent, run: Run) => void;
  onPhase: (phase: Phase, run: Run) => void;
  /** Called after each drawn frame of a night. */
  onFrame: (run: Run) => void;
  /** Called when the results of a night are due. */
  onResults: (run: Run) => void;
}

/** Connects the world, the picture, the sounds and the button. */
export class Game {
  readonly picture: Picture;
  run: Run;
  #phase: Phase = 'title';
  #difficulty: Difficulty = MILD;
  readonly #options: GameOptions;
  readonly #input: HoldInput;
  #last_ms = 0;
  #owed_s = 0;
  #phase_s = 0;

  constructor(options: GameOptions) {
    this.#options = options;
    this.picture = new Picture(options.canvas, options.still);
    this.run = createRun({ seed: 1 });
    this.#input = new HoldInput(options.canvas, () => {
      options.sounds.wake();
      if (this.#phase === 'ready') this.#setPhase('flying');
    });
    new ResizeObserver(() => this.picture.resize()).observe(options.canvas);
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.pause();
    });
    this.picture.resize();
    this.picture.reset(this.run);
    requestAnimationFrame((now_ms) => this.#frame(now_ms));
  }

  get phase(): Phase {
    return this.#phase;
  }

  get difficulty(): Difficulty {
    return this.#difficulty;
  }

  /** Prepares a new night. The moth waits for the first press. */
  prepare(seed: number, upgrades: UpgradeLevels): void {
    this.run = createRun({ seed, difficulty: this.#difficulty, upgrades });
    this.picture.reset(this.run);
    this.#input.release();
    this.#setPhase('ready');
  }

  showTitle(): void {
    this.run = createRun({ seed: 1, difficulty: this.#difficulty, upgrades: NO_UPGRADES });
    this.picture.reset(this.run);
    this.#setPhase('title');
  }

  pause(): void {
    if (this.#phase !== 'flying') return;
    this.#input.release();
    this.#setPhase('paused');
  }

  /** Ends the night early, before the dawn has caught the moth. */
  stop(): Run {
    this.#setPhase('title');
    return this.run;
  }

  resume(): void {
    if (this.#phase === 'paused') this.#setPhase('flying');
  }

  /** Changes the difficulty, also of the current night. */
  setDifficulty(difficulty: Difficulty): void {
    this.#difficulty = difficulty;
    for (const event of setDifficulty(this.run, difficulty)) this.#tell(event);
  }

  #setPhase(phase: Phase): void {
    this.#phase = phase;
    this.#phase_s = 0;
    this.#owed_s = 0;
    this.#options.onPhase(phase, this.run);
  }

  #frame(now_ms: number): void {
    const seconds = Math.min((now_ms - this.#last_ms) / 1_000, LONGEST_FRAME_S);
    this.#last_ms = now_ms;
    this.#phase_s += seconds;
    if (this.#phase === 'flying') this.#advance(seconds);
    if (this.#phase !== 'paused') this.picture.draw(this.run, seconds);
    if (this.#phase === 'flying') this.#options.onFrame(this.run);
    if (this.#phase === 'over' && this.#phase_s > FAREWELL_S) {
      this.#setPhase('title');
      this.#options.onResults(this.run);
    }
    requestAnimationFrame((next_ms) => this.#frame(next_ms));
  }

  #advance(seconds: number): void {
    this.#owed_s += seconds;
    while (this.#owed_s >= STEP_S && this.#phase === 'flying') {
      this.#owed_s -= STEP_S;
      for (const event of stepRun(this.run, this.#input.held)) this.#tell(event);
    }
  }

  #tell(event: RunEvent): void {
    this.picture.show(event, this.run);
    this.#options.sounds.play(event);
    this.#options.onEvent(event, this.run);
    if (event.kind === 'over') this.#setPhase('over');
  }
}
