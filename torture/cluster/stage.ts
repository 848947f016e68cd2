import { setTimeout as sleep } from 'node:timers/promises';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import type { ConnectionSettings } from '../../packages/server/src/platform/database/open-database.ts';
import { readGroups } from '../../packages/server/src/platform/database/pools.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { checkLoad } from '../load/check-load.ts';
import { createCounts, sumAcknowledged } from '../load/mixed-load.ts';
import { registerAccount } from '../load/register-account.ts';
import { startCitus } from '../machine/citus.ts';
import type { CitusCluster } from '../machine/citus.ts';
import type { Random } from '../random.ts';
import { startBalancer } from '../servers/balancer.ts';
import { Cluster } from '../servers/cluster.ts';
import type { Report } from '../suite.ts';
import { loadGame } from './loaded-game.ts';
import type { LoadedGame } from './loaded-game.ts';
import { countPrepared } from './placement.ts';

const WORKERS = 2;
const SERVERS = 3;
const FREE_QUOTA = 100_000;
const PATIENCE_MS = 60_000;

const SETTINGS = [
  // A killed node leaves its files complete, unlike a power failure, so fsync is not needed.
  'fsync=off',
  // A dead node may leave prepared transactions. Their rows stay locked until Citus recovers the
  // transactions.
  'citus.recover_2pc_interval=5s',
];

/** The size of a stage. A test uses a smaller stage than a run of several minutes. */
export interface ClusterSize {
  groups: number;
  /** Number of games. Each game is in a group of its own, and each worker gets the same number of games. */
  games: number;
}

interface Parts {
  size: ClusterSize;
  report: Report;
  random: Random;
  citus: CitusCluster;
  /** The database, through the coordinator. */
  connection: ConnectionSettings;
  servers: Cluster;
  account: { email: string; token: string };
  /** The port of the balancer. */
  port: number;
}

/** Three servers on a Citus cluster, with games under load, to which the suite applies faults. */
export class ClusterStage implements AsyncDisposable {
  readonly report: Report;
  readonly random: Random;
  readonly citus: CitusCluster;
  readonly connection: ConnectionSettings;
  readonly servers: Cluster;
  readonly counts = createCounts();
  readonly #parts: Parts;
  readonly #stack: AsyncDisposableStack;
  #games: LoadedGame[] = [];
  #quota: LoadedGame | null = null;

  private constructor(parts: Parts, stack: AsyncDisposableStack) {
    ({
      report: this.report,
      random: this.random,
      citus: this.citus,
      connection: this.connection,
      servers: this.servers,
    } = parts);
    this.#parts = parts;
    this.#stack = stack;
  }

  /** @param bin Programs of a PostgreSQL with Citus. */
  static async open(
    report: Report,
    random: Random,
    { bin, size }: { bin: string; size: ClusterSize },
  ): Promise<ClusterStage> {
    await using stack = new AsyncDisposableStack();
    const citus = stack.use(await startCitus(bin, WORKERS, SETTINGS));
    const connection = { url: await citus.makeDatabase('overworld') };
    const env = { DATABASE_URL: connection.url, TENANT_GROUPS: String(size.groups) };
    const servers = stack.use(await Cluster.start(SERVERS, env));
    const { port } = stack.use(await startBalancer(servers.ports));
    const account = await registerAccount(servers.servers[0]!.url);
    const parts = { size, report, random, citus, connection, servers, account, port };
    const stage = new ClusterStage(parts, stack.move());
    await stage.renewGames();
    return stage;
  }

  /** The games under a mixed load. */
  get games(): readonly LoadedGame[] {
    return this.#games;
  }

  get #loaded(): LoadedGame[] {
    return this.#quota === null ? this.#games : [...this.#games, this.#quota];
  }

  /**
   * Replaces the games by new games in other groups. The more data a game has, the longer its check takes.
   */
  async renewGames(): Promise<void> {
    for (const { load } of this.#games) load.close();
    this.#games = [];
    const { games } = this.#parts.size;
    for (let made = 0; made < games; made++) this.#games.push(await this.#makeGame(false));
  }

  /** Sends events to one more game from now on, until its quota is used up. */
  async beginQuota(): Promise<void> {
    this.#quota = await this.#makeGame(true);
  }

  start(): void {
    for (const { load, gap } of this.#loaded) {
      load.start();
      gap.restart();
    }
  }

  /**
   * Waits until each of these games has an acknowledged write, and reports a violation if that takes too
   * long.
   * @returns the milliseconds that it took.
   */
  async waitUntilServed(
    when: string,
    within_ms: number,
    games: readonly LoadedGame[] = this.#games,
  ): Promise<number> {
    const started = performance.now();
    const waiting = new Set(games);
    for (const { gap } of waiting) gap.restart();
    while (waiting.size > 0 && performance.now() - started < PATIENCE_MS) {
      for (const game of waiting) if (game.gap.has_ended) waiting.delete(game);
      await sleep(5);
    }
    const took_ms = Math.round(performance.now() - started);
    const schemas = [...waiting].map(({ schema }) => schema).join(', ');
    const words = `${when}: ${schemas === '' ? 'the games were' : `${schemas} not`} served after ${took_ms} ms`;
    this.report.say(words);
    if (took_ms > within_ms) this.report.violation(words);
    return took_ms;
  }

  /** Pauses the load, and compares the stored data with the promised data. */
  async check(after: string): Promise<void> {
    await Promise.all(this.#loaded.map(({ load }) => load.pause()));
    await this.#waitForPrepared();
    for (const { load, schema } of this.#loaded) {
      const problems = await checkLoad(load, this.servers.servers[0]!);
      for (const text of problems) this.report.violation(`after ${after}: ${schema}: ${text}`);
    }
    const count = sumAcknowledged(this.counts).toLocaleString('en-US');
    this.report.say(`${after}: ${count} acknowledged so far`);
  }

  /** Sends events until the quota is used up, and counts them. The load must be paused. */
  async fillQuota(): Promise<void> {
    const { load } = this.#quota!;
    load.start();
    // A busy machine may take long. The load is given up only if it makes no progress.
    let [acknowledged, grew_at] = [0, performance.now()];
    while (load.events.refused === 0 && performance.now() - grew_at < PATIENCE_MS) {
      if (load.events.acknowledged !== acknowledged) grew_at = performance.now();
      ({ acknowledged } = load.events);
      await sleep(50);
    }
    await this.check('the end of the quota');
    const { game_id } = load.game;
    const row = await withDatabase(
      this.connection,
      (database) =>
        database
          .ofGame(game_id)
          .queryOne<{ stored: number }>(
            sql`SELECT count(*) AS stored FROM events WHERE game_id = ${game_id}`,
          ),
      await readGroups(this.connection),
    );
    const { stored } = row!;
    this.report.figure(`stored of a quota of ${FREE_QUOTA.toLocaleString('en-US')}`, stored);
    if (stored !== FREE_QUOTA) this.report.violation(`${stored} events of ${FREE_QUOTA} stored`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#loaded.map(({ load }) => load.pause()));
    for (const { load } of this.#loaded) load.close();
    await this.#stack.disposeAsync();
  }

  #makeGame(fills_quota: boolean): Promise<LoadedGame> {
    const { random, servers, account, port } = this.#parts;
    return loadGame({
      server: servers.servers[0]!,
      account,
      fills_quota,
      random,
      counts: this.counts,
      port: () => port,
      onViolation: (text) => this.report.violation(text),
    });
  }

  /**
   * Waits until Citus has ended the prepared transactions that a dead node left. Citus does this by itself.
   */
  async #waitForPrepared(): Promise<void> {
    const workers = this.citus.workers.map(({ url }) => ({ url }));
    const deadline = performance.now() + PATIENCE_MS;
    while ((await countPrepared(workers)) > 0) {
      if (performance.now() > deadline) {
        return this.report.violation('prepared transactions were not ended');
      }
      await sleep(100);
    }
  }
}
