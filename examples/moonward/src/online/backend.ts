import { Overworld } from '@overworld/sdk';
import type { Unlock } from '@overworld/sdk';
import type { BoardPage, BoardView } from '../screens/boards-screen.ts';
import type { Progress } from '../world/progress.ts';
import type { Difficulty } from '../world/weather.ts';
import { ALL_TIME_BOARD, DAILY_BOARD } from './boards.ts';
import { Connection } from './connection.ts';
import { watchDifficulty } from './difficulty-watch.ts';
import { ProgressKeeper } from './progress-keeper.ts';
import { submitNight } from './scores.ts';
import type { Ranks } from './scores.ts';
import { Unlocks } from './unlocks.ts';

const FIRST_PLACES = 5;

interface BackendListener {
  progress(progress: Progress): void;
  /** Called after the save of another tab or device was merged. */
  conflict(): void;
  unlock(unlock: Unlock): void;
  difficulty(difficulty: Difficulty): void;
  connection(isOnline: boolean): void;
  /** Called when waiting data has reached the server again; with ranks if a night was among it. */
  caughtUp(ranks: Ranks | null): void;
}

/** All calls of the game to its server. */
export class Backend {
  readonly overworld: Overworld;
  readonly connection: Connection;
  readonly #keeper: ProgressKeeper;
  readonly #unlocks: Unlocks;
  readonly #listener: BackendListener;

  constructor(settings: { base_url: string; api_key: string }, listener: BackendListener) {
    this.overworld = new Overworld({ baseUrl: settings.base_url, apiKey: settings.api_key });
    this.connection = new Connection((isOnline) => {
      listener.connection(isOnline);
      if (isOnline) void this.#catchUp();
    });
    this.#listener = listener;
    this.#keeper = new ProgressKeeper(this.overworld, this.connection, {
      change: (progress) => listener.progress(progress),
      conflict: () => listener.conflict(),
    });
    this.#unlocks = new Unlocks(this.overworld, this.connection, (unlock) =>
      listener.unlock(unlock),
    );
  }

  get progress(): Progress {
    return this.#keeper.progress;
  }

  changeProgress(change: (progress: Progress) => Progress): void {
    this.#keeper.change(change);
  }

  /** Loads the data of the player, and watches the config. */
  async start(): Promise<void> {
    void watchDifficulty(this.overworld, this.connection, (difficulty) =>
      this.#listener.difficulty(difficulty),
    );
    await this.#keeper.load();
    await this.#sendProgress();
  }

  /** Unlocks earned achievements that the server may not know. */
  unlockEarned(): Promise<void> {
    return this.#unlocks.unlockAll(this.progress.achievements);
  }

  /** Submits the waiting night. */
  submitNight(): Promise<Ranks | null> {
    return submitNight(this.overworld, this.connection, this.progress);
  }

  /** Properties and tags, for segments, config rules and the dashboard's player page. */
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
        leaderboards.aroundMe(board),
      ]);
      return { entries: first.entries, around: own.around, total_entries: first.total_entries };
    });
    return page ?? 'offline';
  }

  /** Sends all waiting data when the server can be reached again. */
  async #catchUp(): Promise<void> {
    await this.overworld.flush();
    const ranks = await this.#sendProgress();
    if (this.connection.isOnline) this.#listener.caughtUp(ranks);
  }

  async #sendProgress(): Promise<Ranks | null> {
    const sending = [this.#keeper.save(), this.unlockEarned()];
    const ranks = await this.submitNight();
    await Promise.all(sending);
    return ranks;
  }
}
