import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { RELEASE } from '../../../platform/release.ts';
import { explainFailedWrite } from '../../../platform/stores/file-target.ts';
import { StoreError } from '../../../platform/stores/store-error.ts';
import { ArchiveError } from './archive-error.ts';
import type { ArchiveTarget } from './archive-file.ts';
import { archivedColumns, conditionFor } from './archived-rows.ts';
import type { ArchiveContents } from './archived-rows.ts';
import { checkArchive } from './check-archive.ts';
import { INBOX_TABLE } from './format.ts';
import type { ArchiveHeader, ArchiveLine, ArchiveRow } from './format.ts';
import { atOneMoment } from './moment.ts';
import type { Moment } from './moment.ts';
import { listGroups, visitTables } from './visit-tables.ts';

const ROWS_PER_FETCH = 500;
/** So many characters are compressed together. */
const BLOCK_CHARACTERS = 1_000_000;

interface WriteArchiveOptions extends ArchiveContents {
  onProgress?: (rows: number, table: string) => void;
  /** Stops the work, which then leaves nothing behind. */
  signal?: AbortSignal;
}

/** A written archive. */
export interface WrittenArchive {
  rows: number;
  bytes: number;
  /** The time that the data was read. As long, PostgreSQL kept rows that were deleted meanwhile. */
  snapshot_ms: number;
}

/**
 * Writes an archive of the data at one moment, as a stream. It gets its name after it was read back whole, and
 * was what was written.
 * @throws ArchiveError when the archive would mix the data of several moments, or when the target does not
 * store it.
 */
export async function writeArchive(
  database: GroupedDatabase,
  target: ArchiveTarget,
  options: WriteArchiveOptions,
): Promise<WrittenArchive> {
  const { game_id, signal } = options;
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  const began = performance.now();
  try {
    const groups = await listGroups(database, game_id);
    await atOneMoment(database, groups, async (moment) => {
      const lines = readLines(moment, { ...options, groups }, (count) => (rows = count));
      const chunks = async function* () {
        for await (const chunk of packLines(lines, target.is_gzip)) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      };
      await pipeline(chunks, target.stream, { signal });
    });
    const snapshot_ms = Math.round(performance.now() - began);
    await target.send?.(signal);
    await checkTarget(target, { bytes, sha256: hash.digest('hex') }, signal);
    signal?.throwIfAborted();
    await target.publish();
    return { rows, bytes, snapshot_ms };
  } catch (error) {
    const problem = explainFailedWrite(error, target.name, 'so there is no complete archive');
    await target.discard().catch((left: Error) => {
      throw new ArchiveError(
        `${(problem as Error).message} The remains could not be removed: ${left.message}`,
        { cause: error },
      );
    });
    throw problem;
  }
}

/** @throws ArchiveError when the target has not stored what was written. */
async function checkTarget(
  { name, readBack }: ArchiveTarget,
  written: { bytes: number; sha256: string },
  signal: AbortSignal | undefined,
): Promise<void> {
  if (readBack === null) return;
  const source = await readBack();
  if (signal !== undefined) addAbortSignal(signal, source);
  const found = await checkArchive(name, source).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    throw new ArchiveError(`The archive was written, but is not whole: ${error.message}`);
  });
  if (found.sha256 === written.sha256) return;
  throw new ArchiveError(
    `The archive was written, but ${name} holds other bytes: ${found.bytes}, and ${written.bytes} were written.`,
  );
}

/**
 * Packs lines. A gzip file may have several parts, so each block is compressed as a part of its own, in this
 * thread: Node's threads for streams would not have the low priority of the thread that makes backups.
 */
async function* packLines(
  lines: AsyncIterable<ArchiveLine>,
  is_gzip: boolean,
): AsyncGenerator<Buffer> {
  const pack = (text: string) => (is_gzip ? gzipSync(text, { level: 6 }) : Buffer.from(text));
  let block = '';
  for await (const line of lines) {
    block += `${JSON.stringify(line)}\n`;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield pack(block);
    block = '';
  }
  yield pack(block);
}

async function* readLines(
  moment: Moment,
  options: WriteArchiveOptions & { groups: readonly number[] },
  onRows: (count: number) => void,
): AsyncGenerator<ArchiveLine> {
  const { game_id, groups } = options;
  const header: ArchiveHeader = {
    overworld: game_id === null ? 'installation' : 'game',
    release: RELEASE,
    migration: moment.migration,
    made_at: new Date().toISOString(),
    ...(game_id !== null ? { game_id } : groups.length === 0 ? {} : { groups: groups.length }),
  };
  yield header;
  let total = 0;
  for await (const { client, table, group } of visitTables(moment, groups)) {
    const condition = conditionFor(table, options);
    if (condition === null) continue;
    const columns = archivedColumns(table, options);
    yield {
      table: table.name,
      ...(group === undefined || game_id !== null ? {} : { group }),
      columns: columns.map(({ name }) => name),
      partitions: table.partitions,
    };
    const known = group === undefined ? null : moment.known_games;
    const game_at = columns.findIndex(({ name }) => name === 'game_id');
    const names = columns.map(({ name }) => `"${name}"::text`).join(', ');
    // The rows of an inbox may get new ids when the archive is loaded. The new ids have the same
    // order as the old ones, because the archive has the rows in the order of the old ids.
    const order = table.name === INBOX_TABLE ? ' ORDER BY id' : '';
    await client.query(
      `DECLARE archived CURSOR FOR SELECT ${names} FROM "${table.name}" WHERE ${condition}${order}`,
    );
    for (;;) {
      const { rows } = await client.query<ArchiveRow>({
        text: `FETCH ${ROWS_PER_FETCH} FROM archived`,
        rowMode: 'array',
      });
      const kept = known === null ? rows : rows.filter((row) => known.has(row[game_at]!));
      yield* kept;
      total += kept.length;
      onRows(total);
      options.onProgress?.(total, table.name);
      if (rows.length < ROWS_PER_FETCH) break;
    }
    await client.query('CLOSE archived');
  }
  yield { complete: true, rows: total };
}
