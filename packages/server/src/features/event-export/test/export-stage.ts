import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer } from '../../../../test/harness.ts';
import { waitForIngest } from '../../../../test/inbox.ts';
import { makeTestPartition } from '../../../../test/past-day.ts';
import { openStore } from '../../../platform/stores/open-store.ts';
import { createFileReader, folderPlace } from './exported-files.ts';

export const STORE_OPTIONS = { setting: 'EVENTS_EXPORT_TO', spool_folder: null };

export type ExportStage = Awaited<ReturnType<typeof openExportStage>>;

/** Starts a server without a continuing export, whose events tests export themselves. */
export async function openExportStage() {
  const server = await startTestServer();
  await makeTestPartition(server);
  const folder = await mkdtemp(join(tmpdir(), 'overworld-events-'));
  return {
    server,
    /** Makes a place of its own, which other tests leave alone: they export all games of the server. */
    async makePlace() {
      const place = await mkdtemp(join(folder, 'place-'));
      return {
        place,
        reader: createFileReader(folderPlace(place)),
        store: openStore({ folder: place }, STORE_OPTIONS),
      };
    },
    async track(key: string, game_id: string, events: object[]) {
      const body = events.map((event) => ({ session_id: 's', player_id: 'p', ...event }));
      const { status, text } = await server.request('POST', '/v1/track', { key, body });
      assert.equal(status, 202, text);
      await waitForIngest(server.database.ofGame(game_id), game_id);
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
