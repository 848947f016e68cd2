import pino from 'pino';
import { ROLLUP_STEPS } from '../../src/features/reports/rollups/ingest-steps.ts';
import type { IngestStep } from '../../src/features/events/inbox/ingest.ts';
import { createIngester } from '../../src/features/events/inbox/ingester.ts';
import type { GroupedDatabase } from '../../src/platform/database/game-groups.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { cloneDatabase } from '../harness.ts';
import { openTestGroup } from '../test-database.ts';

/** A separate database. Several ingesters process its inbox in the same way as servers do. */
export interface IngestDatabase {
  url: string;
  database: GroupedDatabase;
  /** @returns the id of the new game. */
  makeGame(time_zone: string): Promise<string>;
  /** Lets all ingesters process the inbox at the same time. */
  processInbox(): Promise<unknown>;
  /** Processes the inbox until no request of the game waits. */
  processAll(game_id: string): Promise<void>;
  close(): Promise<void>;
}

/** @param last The last step of every transaction in which an ingester ingests events. */
export async function openIngestDatabase(
  ingester_count: number,
  last: IngestStep = async () => undefined,
): Promise<IngestDatabase> {
  const { url, drop } = await cloneDatabase();
  const database = openTestGroup({ url }, { application_name: 'test', max_connections: 8 });
  const ingesters = Array.from({ length: ingester_count }, () => startIngester(url, last));
  const processInbox = () => Promise.all(ingesters.map((ingester) => ingester.processInbox()));
  return {
    url,
    database,
    async makeGame(time_zone) {
      const game = await database.queryOne<{ id: string }>(sql`
        INSERT INTO games (name, time_zone) VALUES ('Test', ${time_zone}) RETURNING id`);
      return game!.id;
    },
    processInbox,
    async processAll(game_id) {
      const isWaiting = async () =>
        (await database.execute(sql`SELECT FROM event_inbox WHERE game_id = ${game_id} LIMIT 1`)) >
        0;
      do {
        await processInbox();
      } while (await isWaiting());
    },
    async close() {
      for (const ingester of ingesters) await ingester.close();
      await database.close();
      await drop();
    },
  };
}

function startIngester(url: string, last: IngestStep) {
  const database = openTestGroup(
    { url },
    { application_name: 'test ingester', max_connections: 1, prepare: true },
  );
  const ingester = createIngester({
    // The games of these tests are all in the first group.
    database: database.groups[0]!,
    logger: pino({ level: 'silent' }),
    steps: [...ROLLUP_STEPS, last],
  });
  return {
    processInbox: () => ingester.processInbox(),
    async close() {
      await ingester.close();
      await database.close();
    },
  };
}
