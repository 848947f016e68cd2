import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openIngestDatabase } from '../../../test/data/ingest-database.ts';
import type { IngestDatabase } from '../../../test/data/ingest-database.ts';
import { insertInboxRow } from '../../../test/inbox.ts';
import { sql } from '../../platform/database/sql.ts';
import { openFolderStore } from '../../platform/stores/folder-store.ts';
import { noteBatches } from './note-batches.ts';
import { createFileReader, exportOnce, folderPlace, listStored } from './test/exported-files.ts';

let ingest: IngestDatabase;
let folder: string;
/** While it is pending, the transactions that ingest events wait before their commit. */
let held: Promise<void> = Promise.resolve();
/** Called by each transaction that waits. */
let onHeld = () => undefined as void;
before(async () => {
  ingest = await openIngestDatabase(2, async (tx) => {
    await noteBatches(tx);
    onHeld();
    await held;
  });
  folder = await mkdtemp(join(tmpdir(), 'overworld-events-'));
});
after(async () => {
  await ingest.close();
  await rm(folder, { recursive: true, force: true });
});

const BODY = JSON.stringify([
  { event_name: 'a', session_id: 's' },
  { event_name: 'b', session_id: 's' },
]);

test('events are exported in whichever order their transactions end', async () => {
  const { database } = ingest;
  const store = openFolderStore(folder, 'EVENTS_EXPORT_TO');
  const reader = createFileReader(folderPlace(folder));
  const game_id = await ingest.makeGame('UTC');
  const game = database.ofGame(game_id);
  const isExported = async () =>
    assert.deepEqual(await reader.listIds(game_id), await listStored(game, game_id));
  await exportOnce(database, store);

  // The request with the smallest id is stored last.
  const stored = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = game.transaction(async (tx) => {
    await insertInboxRow(tx, game_id, BODY, 2);
    begun.resolve();
    await stored.promise;
  });
  await begun.promise;
  await insertInboxRow(game, game_id, BODY, 2);
  await ingest.processAll(game_id);
  await exportOnce(database, store);
  await isExported();

  // It is ingested last, while other requests overtake it.
  stored.resolve();
  await slow;
  const opened = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  held = opened.promise;
  onHeld = waits.resolve;
  const held_pass = ingest.processInbox();
  await waits.promise;
  held = Promise.resolve();
  await insertInboxRow(game, game_id, BODY, 2);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await exportOnce(database, store);
  const before_end = await reader.listIds(game_id);
  await isExported();
  opened.resolve();
  await held_pass;
  await ingest.processAll(game_id);
  await exportOnce(database, store);
  await isExported();
  assert.equal((await reader.listIds(game_id)).length, 6);
  assert.ok(before_end.length < 6);
  const left = await game.queryOne<{ count: number }>(sql`
    SELECT count(*) FROM event_export_batches`);
  assert.equal(left!.count, 0);
});

test('an export that begins while events are ingested waits for their end', async () => {
  const { database } = ingest;
  const store = openFolderStore(folder, 'EVENTS_EXPORT_TO');
  const reader = createFileReader(folderPlace(folder));
  const game_id = await ingest.makeGame('UTC');
  const game = database.ofGame(game_id);
  const opened = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  held = opened.promise;
  onHeld = waits.resolve;
  await insertInboxRow(game, game_id, BODY, 2);
  const pass = ingest.processInbox();
  await waits.promise;
  const exported = exportOnce(database, store);
  await new Promise((resolve) => setTimeout(resolve, 100));
  opened.resolve();
  held = Promise.resolve();
  await Promise.all([pass, exported]);
  await insertInboxRow(game, game_id, BODY, 2);
  await ingest.processAll(game_id);
  await exportOnce(database, store);
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 4);
  assert.deepEqual(await reader.listIds(game_id), stored);
});
