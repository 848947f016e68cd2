import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import { checkLoad } from '../load/check-load.ts';
import { makeGame } from '../load/game.ts';
import { createCounts, createMixedLoad, sumAcknowledged } from '../load/mixed-load.ts';
import type { MixedLoad, MixedLoadOptions } from '../load/mixed-load.ts';
import type { Random } from '../random.ts';
import type { Report } from '../suite.ts';
import { startBalancer } from './balancer.ts';
import type { Cluster } from './cluster.ts';

const CLIENTS = 48;
const FREE_QUOTA = 100_000;
const QUOTA_PATIENCE_MS = 120_000;

interface Attack {
  cluster: Cluster;
  random: Random;
  seconds: number;
  kind: 'all writes' | 'events to the end of the quota';
}

/** Loads all servers, kills one of them in the middle, and starts it again. */
export async function attackOneOf(
  report: Report,
  { cluster, random, seconds, kind }: Attack,
): Promise<void> {
  const fills_quota = kind !== 'all writes';
  const { connection } = cluster.servers[0]!;
  const game = await withDatabase(connection, async (database) => {
    const made = await makeGame(database, 'Europe/Berlin');
    if (fills_quota) {
      await database.execute(sql`UPDATE games SET tier = 'free' WHERE id = ${made.game_id}`);
    }
    return made;
  });
  await using balancer = await startBalancer(cluster.ports);
  const counts = createCounts();
  const options: MixedLoadOptions = {
    game,
    random,
    counts,
    clients: CLIENTS,
    port: () => balancer.port,
    onViolation: (text) => report.violation(`${kind}: ${text}`),
    ...(fills_quota ? { only: 'events', max_batch: 100 } : {}),
  };
  const load = createMixedLoad(options);
  load.start();
  await sleep(seconds * 400);
  const victim = random.below(cluster.servers.length);
  cluster.servers[victim]!.kill('SIGKILL');
  await cluster.servers[victim]!.ended;
  await sleep(seconds * 200);
  await cluster.restart(victim);
  await sleep(seconds * 400);
  if (fills_quota) await waitUntilRefused(load);
  await load.pause();
  load.close();
  const problems = await checkLoad(load, cluster.servers[0]!);
  for (const problem of problems) report.violation(`${kind}: ${problem}`);
  report.figure(`${kind}: acknowledged`, sumAcknowledged(counts));
  report.figure('  of unknown outcome', counts.unanswered + counts.unavailable);
  if (!fills_quota) return;
  const row = await withDatabase(connection, (database) =>
    database.queryOne<{ stored: number }>(
      sql`SELECT count(*) AS stored FROM events WHERE game_id = ${game.game_id}`,
    ),
  );
  report.figure(`  stored of a quota of ${FREE_QUOTA.toLocaleString('en-US')}`, row!.stored);
  if (row!.stored !== FREE_QUOTA) report.violation(`${row!.stored} events of ${FREE_QUOTA} stored`);
}

async function waitUntilRefused({ events }: MixedLoad): Promise<void> {
  const give_up_at = performance.now() + QUOTA_PATIENCE_MS;
  while (events.refused === 0 && performance.now() < give_up_at) await sleep(50);
}
