import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../packages/server/src/platform/database/open-database.ts';
import { sql } from '../packages/server/src/platform/database/sql.ts';
import { joinIngest } from '../packages/server/src/platform/ingest-lock.ts';
import { createSealedEvents } from '../packages/server/src/features/reports/sealed/reader.ts';
import { runSeals } from '../packages/server/src/features/reports/sealed/seal-run.ts';
import {
  insertPastEvents,
  makeEvents,
  readRows,
  readSealed,
} from '../packages/server/src/features/reports/sealed/test/sealed-game.ts';
import { findFreePort } from '../packages/server/test/free-port.ts';
import type { TestServer } from '../packages/server/test/harness.ts';
import { daysAgo } from '../packages/server/test/past-day.ts';
import { Server } from './machine/server.ts';
import { makeSmallDisk } from './machine/small-disk.ts';

/** There is room for a database cluster of 50 MB, a write-ahead log of 256 MB, and the events. */
const DISK_MB = 420;
const DAYS = [2, 3, 4, 5];
const DAY_EVENTS = 10_000;
const PROPERTIES = ['level', 'text', 'seconds'];
/** The disk is full from the beginning of the run, and then from later moments. */
const FULL_AFTER_MS = [0, 50, 150, 300];
const PATIENCE_MS = 120_000;

const skip = process.getuid?.() === 0 ? false : 'only root can make a disk';

test(
  'a full disk leaves only whole sealed days, and the others are sealed later',
  { skip },
  async () => {
    using disk = makeSmallDisk(DISK_MB)!;
    const data_dir = join(disk.path, 'data');
    mkdirSync(data_dir);
    const settings = { port: await findFreePort(), data_dir };
    let server = await Server.start(settings);
    const connect = () =>
      openDatabase(server.connection, { application_name: 'seal', max_connections: 2 });
    let database = connect();
    try {
      const game = await database.queryOne<{ id: string }>(sql`
      INSERT INTO games (name, time_zone, tier) VALUES ('Full', 'UTC', 'studio') RETURNING id`);
      const tenant = { game_id: game!.id, environment: 'production' as const };
      for (const days of DAYS) {
        const of_test = { database } as unknown as TestServer;
        await insertPastEvents(of_test, tenant.game_id, daysAgo(days), makeEvents(DAY_EVENTS));
      }
      const seal = () => runSeals(database, { joinIngest, retention_days: 0, rest_times: 0 });
      const sealed = createSealedEvents();
      /** Compares the days that are sealed with their rows. @returns their number. */
      const requireWhole = async () => {
        const rows = await readRows(sealed, database, tenant, PROPERTIES);
        const { days, events, refused } = await readSealed(sealed, database, tenant, PROPERTIES);
        assert.deepEqual(refused, []);
        const ids = new Set(events.map(([id]) => id));
        assert.equal(ids.size, days.length * DAY_EVENTS);
        assert.deepEqual(
          events,
          rows.filter(([id]) => ids.has(id)),
        );
        return days.length;
      };
      /** PostgreSQL ends if the disk has no room for its log, and the server with it. */
      const recover = async () => {
        for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(100)) {
          if (server.has_ended) {
            await database.close();
            server = await Server.start(settings);
            database = connect();
          }
          try {
            return await database.query(sql`SELECT 1`);
          } catch (error) {
            if (performance.now() > deadline) throw error;
          }
        }
      };

      const outcomes: string[] = [];
      for (const full_after_ms of FULL_AFTER_MS) {
        await database.execute(sql`TRUNCATE sealed_days, sealed_events, sealed_players`);
        const filling = sleep(full_after_ms).then(disk.fill);
        if (full_after_ms === 0) await filling;
        const outcome = await seal().then(
          ({ days }) => `${days} days`,
          (error: Error) => error.message,
        );
        await filling;
        disk.free();
        await recover();
        outcomes.push(`${outcome}; ${await requireWhole()} whole`);
      }
      assert.match(outcomes[0]!, /No space left.*; 0 whole/, outcomes.join('\n'));
      await seal();
      assert.equal(await requireWhole(), DAYS.length, outcomes.join('\n'));
    } finally {
      await database.close();
      await server.stop();
    }
  },
);
