import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import type { Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { FileStore } from '../../../platform/stores/file-store.ts';
import { beginAllExports } from '../../../../test/begin-exports.ts';
import { runExport } from '../export-run.ts';

/** A place with the files of an export. */
export interface ExportedPlace {
  /** Lists the names of all files with events. */
  list(): Promise<string[]>;
  read(name: string): Promise<Buffer>;
}

export const folderPlace = (folder: string): ExportedPlace => ({
  async list() {
    const names = await readdir(folder, { recursive: true });
    return names.filter((name) => name.endsWith('.parquet')).toSorted();
  },
  read: (name) => readFile(join(folder, name)),
});

/** Reads files whole, those that it knows once. */
export function createFileReader(place: ExportedPlace) {
  const known = new Map<string, Record<string, unknown>[]>();
  return {
    /** @returns the events of each file. */
    async readAll(): Promise<ReadonlyMap<string, readonly Record<string, unknown>[]>> {
      for (const name of await place.list()) {
        const bytes = await place.read(name);
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        known.set(name, await parquetReadObjects({ file: file as ArrayBuffer }));
      }
      return known;
    },
    /** Lists the ids of the events of a game, after a check that none comes twice. */
    async listIds(game_id: string): Promise<number[]> {
      const ids: number[] = [];
      for (const [name, events] of await this.readAll()) {
        if (!name.includes(`game=${game_id}/environment=production/`)) continue;
        const day = /\/day=(\d{4}-\d\d-\d\d)\//.exec(name)![1];
        for (const { id, received_at } of events) {
          ids.push(Number(id));
          assert.equal((received_at as Date).toISOString().slice(0, 10), day, name);
        }
      }
      assert.equal(new Set(ids).size, ids.length, 'no event is in two files');
      return ids.toSorted((a, b) => a - b);
    },
  };
}

/** Lists the ids of the stored events of a game. */
export async function listStored(database: Queryable, game_id: string): Promise<number[]> {
  const rows = await database.query<{ id: number }>(sql`
    SELECT id FROM events WHERE game_id = ${game_id} AND environment = 'production' ORDER BY id`);
  return rows.map(({ id }) => id);
}

/** Begins the exports of all games, and runs an export once. */
export async function exportOnce(database: GroupedDatabase, store: FileStore) {
  await beginAllExports(database);
  return runExport(database, store, { settling_minutes: 0 });
}
