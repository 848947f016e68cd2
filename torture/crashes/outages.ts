import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/test/free-port.ts';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import { withDatabase } from '../../packages/server/src/cli/installation.ts';
import { startExternalPostgres } from '../machine/external-postgres.ts';
import type { ExternalPostgres } from '../machine/external-postgres.ts';
import { makeFolder } from '../machine/folder.ts';
import { waitUntilReady } from '../machine/server.ts';
import { createRandom } from '../random.ts';
import type { Report } from '../suite.ts';
import { Stage } from './stage.ts';

const CUT_INTERVAL_MS = 25;
/** Within this time the server must notice that its database is away. */
const STATUS_PATIENCE_MS = 10_000;

interface OutageOptions {
  away_seconds: number;
  /** After its database is back, the server must answer requests again within this time. */
  back_within_ms: number;
  seed: number;
}

/**
 * Attacks a loaded server: its external database stops and starts again, then hangs, then cuts connections.
 */
export async function attackByOutages(
  report: Report,
  { away_seconds, back_within_ms, seed }: OutageOptions,
): Promise<void> {
  await using postgres = await startExternalPostgres();
  await using folder = await makeFolder();
  const settings = {
    port: await findFreePort(),
    data_dir: folder.path,
    env: { DATABASE_URL: postgres.url },
  };
  await using stage = await Stage.open(report, createRandom(seed), settings);
  report.figure('external database', postgres.version);
  await goAway(report, stage, postgres, { away_seconds, back_within_ms });
  await hang(report, stage, postgres, Math.min(away_seconds, 15));
  await cutConnections(report, stage, Math.min(away_seconds, 15));
  report.figure('writes acknowledged around outages', stage.acknowledged);
}

async function goAway(
  report: Report,
  stage: Stage,
  postgres: ExternalPostgres,
  { away_seconds, back_within_ms }: Omit<OutageOptions, 'seed'>,
): Promise<void> {
  const { server, load, counts } = stage;
  await stage.loadFor(1_000, 100);
  await postgres.stop();
  const { unanswered, unavailable } = counts;
  await sleep(away_seconds * 500);
  await expectStatus(report, `${server.url}/healthz`, 200);
  await expectStatus(report, `${server.url}/readyz`, 503);
  await sleep(away_seconds * 500);
  report.figure('requests answered 503 while it was away', counts.unavailable - unavailable);
  await postgres.start();
  const back_ms = await waitUntilReady(server.url, 60_000);
  await sleep(500);
  await load.pause();
  const lost = counts.unanswered - unanswered;
  if (lost > 0) report.violation(`${lost} requests got no answer while the database was away`);
  if (back_ms > back_within_ms) report.violation(`it served again only after ${back_ms} ms`);
  if (server.has_ended) report.violation('the server ended while the database was away');
  report.figure('seconds that the database was away', away_seconds);
  report.figure('served again after it was back, ms', Math.round(back_ms));
  await stage.check('a database that was away');
}

async function hang(
  report: Report,
  stage: Stage,
  postgres: ExternalPostgres,
  seconds: number,
): Promise<void> {
  const { server, load, counts } = stage;
  const { unanswered } = counts;
  await stage.loadFor(500, 100);
  postgres.freeze();
  await sleep(seconds * 1_000);
  await expectStatus(report, `${server.url}/healthz`, 200);
  postgres.thaw();
  await waitUntilReady(server.url, 60_000);
  await sleep(500);
  await load.pause();
  if (counts.unanswered > unanswered) report.violation('requests got no answer while it hung');
  await stage.check(`a database that hung for ${seconds} s`);
}

/** Forty times a second, ends one database connection of the server that is in the middle of its work. */
async function cutConnections(report: Report, stage: Stage, seconds: number): Promise<void> {
  const { load, counts, server } = stage;
  const { unanswered } = counts;
  let cut = 0;
  load.start();
  await withDatabase(server.connection, async (database) => {
    const end_at = performance.now() + seconds * 1_000;
    while (performance.now() < end_at) {
      cut += await database.execute(sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'overworld%' AND state <> 'idle' AND pid <> pg_backend_pid()
        ORDER BY random() LIMIT 1`);
      await sleep(CUT_INTERVAL_MS);
    }
  });
  await waitUntilReady(server.url, 10_000);
  await load.pause();
  if (counts.unanswered > unanswered) report.violation('requests got no answer at a cut');
  report.figure('connections cut in the middle of their work', cut);
  await stage.check('connections that were cut');
}

async function expectStatus(report: Report, url: string, expected: number): Promise<void> {
  const deadline = performance.now() + STATUS_PATIENCE_MS;
  for (;;) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status === expected) return;
    if (performance.now() > deadline) {
      return report.violation(`${url} was answered ${response.status}, and not ${expected}`);
    }
    await sleep(20);
  }
}
