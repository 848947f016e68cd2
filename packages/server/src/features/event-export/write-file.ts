import { createHash } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportedEvent } from '../../platform/event-files/event-file.ts';
import { createParquetFile } from '../../platform/event-files/parquet.ts';
import type { FileStore } from '../../platform/stores/file-store.ts';
import { explainFailedWrite } from '../../platform/stores/file-target.ts';
import type { FileTarget } from '../../platform/stores/file-target.ts';
import { S3Refusal } from '../../platform/stores/s3-client.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import { PlanEnded } from './planned-events.ts';

/** Tells whether the run still holds the lock that keeps other servers from exporting. */
export type IsAlone = () => Promise<boolean>;

/** A file whose events were erased could not be removed. Files of other environments can still be written. */
export class FileNotRemoved extends Error {}

/**
 * Writes events to a file, which appears when it is whole, and is read back. Replaces a file of the same name,
 * and what a server has left that was killed. Without an event there is no file: all its players were erased.
 * @returns the number of events.
 * @throws PlanEnded when `pages` does; another file of the name stays.
 * @throws StoreError when the store does not keep the file, and FileNotRemoved when it refuses to remove it.
 */
export async function writeEventFile(
  store: FileStore,
  name: string,
  pages: AsyncGenerator<readonly ExportedEvent[]>,
  { signal, isAlone }: { signal?: AbortSignal; isAlone: IsAlone },
): Promise<number> {
  const first = await pages.next();
  if (first.done) {
    await store.removeUnfinished(name);
    await removeEmptied(store, name);
    return 0;
  }
  const target = await store.replace(name);
  const hash = createHash('sha256');
  const file = createParquetFile();
  let count = 0;
  const add = (events: readonly ExportedEvent[]) => {
    count += events.length;
    return file.add(events);
  };
  const chunks = async function* () {
    let page: IteratorResult<readonly ExportedEvent[]> = first;
    for (; !page.done; page = await pages.next()) {
      const bytes = add(page.value);
      if (bytes !== null) yield hashed(bytes);
    }
    yield hashed(file.end()!);
  };
  const hashed = (bytes: Uint8Array) => {
    hash.update(bytes);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  try {
    await pipeline(chunks, target.stream, { signal });
    await checkTarget(target, hash.digest('hex'), signal);
    signal?.throwIfAborted();
    await target.publish();
    return count;
  } catch (error) {
    const problem = explainFailedWrite(error, target.name, 'so its events wait');
    // Another server may have written the file meanwhile, and it must stay. Where a plan has ended, nothing has
    // got the name yet.
    if (!(error instanceof PlanEnded || (await isAlone()))) throw problem;
    await target.discard().catch((left: Error) => {
      throw new StoreError(
        `${(problem as Error).message} The remains could not be removed: ${left.message}`,
        { cause: error },
      );
    });
    throw problem;
  }
}

async function removeEmptied(store: FileStore, name: string): Promise<void> {
  try {
    await store.remove(name);
  } catch (error) {
    if (!(error instanceof S3Refusal)) throw error;
    throw new FileNotRemoved(
      `${store.name}/${name} must be removed, because its players were erased, and its game waits for that. The keys need the right to delete objects. ${error.message}`,
      { cause: error },
    );
  }
}

/** @throws StoreError when the target has not stored what was written. */
async function checkTarget(
  { name, readBack }: FileTarget,
  sha256: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const source = await readBack!();
  if (signal !== undefined) addAbortSignal(signal, source);
  const hash = createHash('sha256');
  for await (const chunk of source) hash.update(chunk);
  if (hash.digest('hex') !== sha256) {
    throw new StoreError(`${name} was written, but holds other bytes.`);
  }
}
