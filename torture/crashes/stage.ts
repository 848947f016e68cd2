import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import { checkLoad } from '../load/check-load.ts';
import { addOwner, makeGame } from '../load/game.ts';
import { createCounts, createMixedLoad, sumAcknowledged } from '../load/mixed-load.ts';
import type { LoadCounts, MixedLoad } from '../load/mixed-load.ts';
import { registerAccount } from '../load/register-account.ts';
import { createSeasonLoad } from '../load/season-load.ts';
import { Server } from '../machine/server.ts';
import type { ServerSettings } from '../machine/server.ts';
import type { Random } from '../random.ts';
import type { Report } from '../suite.ts';

/**
 * There are enough clients to fill batches, and so few that each of them sends a request between two faults.
 */
const CLIENTS = 64;
const WRITES_PATIENCE_MS = 60_000;
/** A game is checked five times, so once in its life all its seasons must be rewarded. */
const CHECKS_UNTIL_REWARDS = 4;

/** A server under a load of all kinds of requests. The tests cause faults in it. */
export class Stage {
  readonly settings: ServerSettings;
  readonly counts: LoadCounts = createCounts();
  readonly #report: Report;
  readonly #random: Random;
  /** The account that ends seasons. */
  readonly #account: { email: string; token: string };
  #events_before = 0;
  #load: MixedLoad | null = null;
  server: Server;

  private constructor(
    report: Report,
    random: Random,
    server: Server,
    account: { email: string; token: string },
  ) {
    this.#report = report;
    this.#account = account;
    this.#random = random;
    this.settings = server.settings;
    this.server = server;
  }

  /** Starts the server, and makes the first game. */
  static async open(report: Report, random: Random, settings: ServerSettings): Promise<Stage> {
    const server = await Server.start(settings);
    const stage = new Stage(report, random, server, await registerAccount(server.url));
    await stage.renewGame();
    return stage;
  }

  get load(): MixedLoad {
    return this.#load!;
  }

  get acknowledged(): number {
    return sumAcknowledged(this.counts);
  }

  get acknowledged_events(): number {
    return this.#events_before + this.load.events.acknowledged;
  }

  /** Continues the load in a new game, because the checks take longer the more data a game has. */
  async renewGame(): Promise<void> {
    if (this.#load !== null) {
      this.#load.close();
      this.#events_before += this.#load.events.acknowledged;
    }
    const time_zone = this.#random.pick(['UTC', 'Europe/Berlin', 'Asia/Kathmandu']);
    const { email, token } = this.#account;
    const game = await withDatabase(this.server.connection, async (database) => {
      const made = await makeGame(database, time_zone);
      await addOwner(database, made.game_id, email);
      return made;
    });
    this.#load = createMixedLoad({
      game,
      random: this.#random,
      clients: CLIENTS,
      port: () => this.settings.port,
      counts: this.counts,
      further: [[5, createSeasonLoad(this.#random, game.game_id, token, CHECKS_UNTIL_REWARDS)]],
      onViolation: (text) => this.#report.violation(text),
    });
  }

  /**
   * Keeps the server under load for at least this time, and until it has acknowledged at least this many more
   * writes.
   */
  async loadFor(duration_ms: number, least_writes: number): Promise<void> {
    const wanted = this.acknowledged + least_writes;
    this.load.start();
    await sleep(duration_ms);
    const deadline = performance.now() + WRITES_PATIENCE_MS;
    while (this.acknowledged < wanted) {
      if (performance.now() > deadline) throw new Error('The load got no further');
      await sleep(10);
    }
  }

  /** Starts the server again if it has ended. */
  async restart(): Promise<void> {
    if (this.server.has_ended) this.server = await Server.start(this.settings);
  }

  /** Compares the stored data with the acknowledged writes. The load must be paused. */
  async check(after: string): Promise<void> {
    const problems = await checkLoad(this.load, this.server);
    for (const problem of problems) this.#report.violation(`after ${after}: ${problem}`);
    this.#report.say(`${after}: ${this.acknowledged.toLocaleString('en-US')} acknowledged so far`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#load?.close();
    if (!this.server.has_ended) await this.server.stop();
  }
}
