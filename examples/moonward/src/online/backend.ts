import { Overworld } from '@overworld/sdk';
import type { BoardPage, BoardView } from '../screens/boards-screen.ts';
import { mergeProgress } from '../world/progress.ts';
import type { BestRun, Progress } from '../world/progress.ts';
import { readProgress } from '../world/read-progress.ts';
import type { Difficulty } from '../world/weather.ts';
import { ALL_TIME_BOARD, DAILY_BOARD } from './boards.ts';
import { Connection } from './connection.ts';
import { createMoveCode, followMoves, moveHere } from './devices.ts';
import type { MoveProblem } from './devices.ts';
import { DifficultyWatch } from './difficulty-watch.ts';
import { ProgressKeeper } from './progress-keeper.ts';
import { readRanks, submitNight } from './scores.ts';
import type { Ranks } from './scores.ts';
import { StudioAccount } from './studio-account.ts';
import { Unlocks } from './unlocks.ts';

const FIRST_PLACES = 5;

interface BackendListener {
  progress(progress: Progress): void;
  /** Called after the save was merged with the save of another tab or device. */
  conflict(): void;
  difficulty(difficulty: Difficulty): void;
  /** Called when the server is reached again, and after each request that cannot reach the server. */
  connection(isOnline: boolean): void;
  /** Called when waiting data has reached the server; with ranks if the data included a night's result. */
  caughtUp(ranks: Ranks | null): void;
}

/** `trying` until the server has answered or cannot be reached. */
export type LoginState = 'in' | 'trying' | 'out';

/** All calls of the game to its server. */
export class Backend {
  readonly overworld: Overworld;
  readonly connection: Connection;
  readonly account: StudioAccount;
  readonly #keeper: ProgressKeeper;
  readonly #unlocks: Unlocks;
  readonly #watch: DifficultyWatch;
  readonly #listener: BackendListener;
  #hasStarted = false;
  #nightWaits = false;

  constructor(settings: { base_url: string; api_key: string }, listener: BackendListener) {
    this.overworld = new Overworld({
      baseUrl: settings.base_url,
      apiKey: settings.api_key,
      // Merges saves when the SDK sends a save that an earlier visit could not send, and the server has
      // a newer one. The SDK sends such saves before `load`.
      onSaveConflict: ({ ours, theirs }) => mergeProgress(readProgress(ours), readProgress(theirs)),
    });
    this.connection = new Connection({
      change: (isOnline) => {
        listener.connection(isOnline);
        if (isOnline) void this.#catchUp();
      },
      retry: () => void this.#watch.load(),
    });
    this.account = new StudioAccount(this.overworld, this.connection);
    this.#watch = new DifficultyWatch(this.overworld, this.connection, (difficulty) =>
      listener.difficulty(difficulty),
    );
    this.#listener = listener;
    this.#keeper = new ProgressKeeper(this.overworld, this.connection, {
      change: (progress) => listener.progress(progress),
      conflict: () => listener.conflict(),
    });
    this.#unlocks = new Unlocks(this.overworld, this.connection);
    followMoves();
  }

  get progress(): Progress {
    return this.#keeper.progress;
  }

  changeProgress(change: (progress: Progress) => Progress): void {
    this.#keeper.change(change);
  }

  /** `in` if the SDK has logged the player in, by the secret of this device. */
  get login(): LoginState {
    if (this.overworld.account.isLoggedIn) return 'in';
    return this.#hasStarted || !this.connection.isOnline ? 'out' : 'trying';
  }

  /** Number of scores, achievements and saves that this device keeps until they can be sent. */
  get waiting(): number {
    return this.overworld.queuedCalls;
  }

  /** True if a night of this visit has not yet reached the boards. */
  get nightWaits(): boolean {
    return this.#nightWaits;
  }

  createMoveCode(): Promise<string | null> {
    return createMoveCode(this.overworld, this.connection);
  }

  moveHere(code: string): Promise<MoveProblem> {
    return moveHere(this.overworld, this.connection, code);
  }

  /** Loads the data of the player and the config. */
  async start(): Promise<void> {
    this.#watch.start();
    await this.#keeper.load();
    this.#hasStarted = true;
    await this.#sendProgress();
  }

  /** Unlocks earned achievements that the server may not know. */
  unlockEarned(): Promise<void> {
    return this.#unlocks.unlockAll(this.progress.achievements);
  }

  /**
   * Submits the result of a night, which is a round of the game.
   * @returns the ranks; null if the result waits until the server can be reached.
   */
  async submitNight(night: BestRun): Promise<Ranks | null> {
    const { text } = this.progress.name;
    const ranks = await submitNight(this.overworld, this.connection, night, text);
    this.#nightWaits ||= ranks === null;
    return ranks;
  }

  /** Sends properties and tags, for segments, config rules and the dashboard's player page. */
  async describePlayer(nights: number): Promise<void> {
    const { name, best } = this.progress;
    await this.connection.ask(async () => {
      await this.overworld.identify({ name: name.text, best_score: best.score, nights });
      if (best.height >= 300) await this.overworld.tags.add('high_flyer');
    });
  }

  async listAchievements() {
    return this.connection.ask(() => this.overworld.achievements.list());
  }

  async readBoard(view: BoardView): Promise<BoardPage | 'offline'> {
    const board = view === 'daily' ? DAILY_BOARD : ALL_TIME_BOARD;
    const { leaderboards } = this.overworld;
    const page = await this.connection.ask(async () => {
      const [first, own] = await Promise.all([
        leaderboards.page(board, { limit: FIRST_PLACES }),
        leaderboards.around(board),
      ]);
      return { entries: first.entries, around: own.entries, total_entries: first.total_entries };
    });
    return page ?? 'offline';
  }

  /** Sends all waiting data when the server can be reached again. */
  async #catchUp(): Promise<void> {
    await this.overworld.flush();
    await this.#sendProgress();
    if (!this.connection.isOnline) return;
    const isSent = this.#nightWaits && this.waiting === 0;
    const ranks = isSent ? await readRanks(this.overworld, this.connection) : null;
    if (isSent) this.#nightWaits = false;
    this.#listener.caughtUp(ranks);
  }

  async #sendProgress(): Promise<void> {
    await Promise.all([this.#keeper.save(), this.unlockEarned()]);
  }
}
