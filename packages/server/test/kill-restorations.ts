import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupedDatabase } from '../src/platform/database/game-groups.ts';
import { names, sql } from '../src/platform/database/sql.ts';
import { startTestServer } from './harness.ts';
import { startVictim } from './run-cli.ts';
import { waitUntil } from './wait-until.ts';

const KILLS = 5;

/** A restoration on which servers work that are killed. */
interface KilledRestoration {
  /** A folder for the data of the servers. */
  folder: string;
  database_url: string;
  database: GroupedDatabase;
  game_id: string;
  /** The token of a member, and the path of the restoration. */
  token: string;
  path: string;
  /** The table of the restorations. The game has one. */
  table: string;
  /** The number of items that are to be treated. */
  items: number;
  /** Counts the items that are changed now: restored, or taken back if it is being undone. */
  countChanged: (column: DoneColumn) => Promise<number>;
}

type DoneColumn = 'restored_count' | 'undone_count';

/**
 * Starts a restoration, and then its undo, on servers that are killed again and again, and checks after each kill
 * that the progress tells what is changed.
 * @param checkEnd Called when the restoration is done, and when it is undone.
 */
export async function killRestorers(
  restoration: KilledRestoration,
  checkEnd: (state: 'done' | 'undone') => Promise<void>,
): Promise<void> {
  const { database, database_url, game_id, path, token } = restoration;
  const table = names([restoration.table]);
  const setState = (state: string) =>
    database.execute(sql`
      UPDATE ${table}
      SET state = ${state}, next_step_at = now() + interval '1 hour',
          undo_begun_at = CASE WHEN ${state}::text = 'undoing' THEN now() END
      WHERE game_id = ${game_id}`);
  const finish = async (state: string) => {
    await using server = await startTestServer({ database_url, groups: 1 });
    await server.database.execute(sql`
      UPDATE ${table} SET next_step_at = now() WHERE game_id = ${game_id}`);
    await waitUntil(`it is ${state}`, async () => {
      const { body } = await server.request('GET', path, { token });
      return body.state === state;
    });
  };

  await setState('running');
  await killServers(restoration, 'restored_count');
  await finish('done');
  await checkEnd('done');
  // No server runs now that could begin with the undo.
  await setState('undoing');
  await killServers(restoration, 'undone_count');
  await finish('undone');
  await checkEnd('undone');
}

/** Starts servers and kills each of them while the state of items changes to this one. */
async function killServers(restoration: KilledRestoration, column: DoneColumn): Promise<void> {
  const { folder, database, database_url, game_id, items, countChanged } = restoration;
  const table = names([restoration.table]);
  const countDone = async () => {
    const row = await database.queryOne<Record<string, number>>(sql`
      SELECT restored_count, undone_count FROM ${table} WHERE game_id = ${game_id}`);
    return row![column]!;
  };
  let interrupted = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await countDone();
    const { victim } = await startVictim({
      DATABASE_URL: database_url,
      DATA_DIR: await mkdtemp(join(folder, 'data-')),
      PORT: '0',
      WORKERS: '1',
    });
    // The time of the server that was killed before is over.
    await database.execute(sql`
      UPDATE ${table} SET next_step_at = now() WHERE game_id = ${game_id}`);
    await waitUntil('it works', async () => (await countDone()) > before);
    await sleep(200 * Math.random());
    victim.child.kill('SIGKILL');
    await victim.done;
    const done = await countDone();
    if (done < items) interrupted++;
    assert.equal(await countChanged(column), done, 'the progress tells what is changed');
  }
  assert.ok(interrupted > 0, 'no kill came in the middle');
}
