import { Duplex, Readable } from 'node:stream';
import type { S3Place } from './store-place.ts';
import { StoreError } from './store-error.ts';
import type { FileTarget } from './file-target.ts';
import { namePlace } from './file-store.ts';
import type { FileStore } from './file-store.ts';
import { createS3Client, findElement, listElements, S3Refusal } from './s3-client.ts';
import type { S3Client, S3ClientOptions } from './s3-client.ts';
import { spoolFile } from './spool.ts';

/** An upload has at most 10,000 parts, so a file has at most 160 GB. All parts but the last are of one size. */
const PART_BYTES = 16 * 1024 * 1024;
const MAX_PARTS = 10_000;

interface S3StoreOptions extends S3ClientOptions {
  part_bytes?: number;
  /**
   * The folder that keeps a file until it is sent. Null: it is sent while the database is read, which then
   * takes as long as the bucket.
   */
  spool_folder: string | null;
}

/** Opens a bucket with files. */
export function openS3Store(
  place: S3Place,
  { part_bytes = PART_BYTES, spool_folder, ...options }: S3StoreOptions,
): FileStore {
  const client = createS3Client(place, options);
  const { prefix } = place;
  const begin = (name: string) =>
    createUpload(client, prefix + name, `${namePlace(place)}/${name}`, part_bytes);
  const removeUnfinished = async (start: string, min_age_ms = 0) => {
    const query = { uploads: '', prefix: prefix + start };
    const listed = await client.ask({ method: 'GET', key: '', query }).catch((error: unknown) => {
      // Some servers have no list of uploads, and some keys no right to it. A rule of the bucket then removes
      // the remains.
      if (error instanceof S3Refusal) return { text: '' };
      throw error;
    });
    for (const upload of listElements(listed.text, 'Upload')) {
      const key = findElement(upload, 'Key') ?? '';
      const upload_id = findElement(upload, 'UploadId');
      if (upload_id === null || !key.startsWith(prefix + start)) continue;
      const age = Date.now() - Date.parse(findElement(upload, 'Initiated') ?? '');
      if (min_age_ms > 0 && !(age >= min_age_ms)) continue;
      await abortUpload(client, key, upload_id);
    }
  };
  /** Tells whether there is an object of this name, or may be one: some keys have no right to the list. */
  const isThere = async (key: string) => {
    const query = { 'list-type': '2', 'max-keys': '1', prefix: key };
    const { text } = await client
      .ask({ method: 'GET', key: '', query })
      .catch(() => ({ text: '' }));
    return findElement(text, 'KeyCount') !== '0';
  };
  return {
    name: namePlace(place),
    async list() {
      const names: string[] = [];
      let after: string | null = null;
      do {
        const query: Record<string, string> = { 'list-type': '2', prefix };
        if (after !== null) query['continuation-token'] = after;
        const { text } = await client.ask({ method: 'GET', key: '', query });
        // A page of a proxy, or half a list, would look like an empty bucket.
        if (!/<ListBucketResult[\s>]/.test(text)) {
          throw new StoreError(
            `The S3 server answered with something other than the list of ${namePlace(place)}: check AWS_ENDPOINT_URL.`,
          );
        }
        for (const contents of listElements(text, 'Contents')) {
          const name = findElement(contents, 'Key')?.slice(prefix.length) ?? '';
          if (name !== '' && !name.includes('/')) names.push(name);
        }
        after = findElement(text, 'NextContinuationToken');
        if (after === null && findElement(text, 'IsTruncated') === 'true') {
          throw new StoreError(`The S3 server listed only a part of ${namePlace(place)}.`);
        }
      } while (after !== null);
      return names;
    },
    async create(name) {
      const upload = await begin(name);
      return spool_folder === null ? upload : spoolFile(upload, spool_folder);
    },
    async replace(name) {
      await removeUnfinished(name);
      return begin(name);
    },
    async read(name) {
      const { chunks, bytes } = await client.download(prefix + name);
      return { source: Readable.from(chunks), bytes };
    },
    async remove(name) {
      const key = prefix + name;
      await client.ask({ method: 'DELETE', key }).catch(async (error: unknown) => {
        // A key without the right to delete is refused also where there is nothing to delete.
        if (!(error instanceof S3Refusal) || (await isThere(key))) throw error;
      });
    },
    removeUnfinished,
  };
}

/** Begins an upload in parts. The object appears when its parts are put together, whole or not at all. */
async function createUpload(
  client: S3Client,
  key: string,
  name: string,
  part_bytes: number,
): Promise<FileTarget> {
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' } });
  const upload_id = findElement(begun.text, 'UploadId');
  if (upload_id === null) throw new StoreError(`The S3 server began no upload of ${name}.`);
  const etags: string[] = [];
  let may_be_stored = false;
  /** The failure to put the parts together. */
  let failure: unknown = null;

  const sendPart = async (body: Buffer) => {
    if (etags.length === MAX_PARTS) {
      throw new StoreError(
        `${name} would be larger than ${MAX_PARTS} parts, the most of an upload.`,
      );
    }
    const query = { partNumber: String(etags.length + 1), uploadId: upload_id };
    const request = { method: 'PUT', key, query, body, is_long: true } as const;
    const { headers } = await client.ask(request);
    etags.push(headers.get('etag') ?? '');
  };
  const putTogether = async () => {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const query = { uploadId: upload_id };
    const request = { method: 'POST', key, query, body, is_long: true } as const;
    may_be_stored = true;
    // The answer may be lost, or be an error with status 200, so the object is read whole in any case.
    failure = await client.ask(request).then(
      ({ text }) => {
        const code = findElement(text, 'Code');
        return code === null
          ? null
          : new StoreError(`The S3 server did not store ${name}: ${code}.`);
      },
      (error: unknown) => error,
    );
  };

  const stream = Duplex.from(async (chunks: AsyncIterable<Buffer>) => {
    for await (const part of divide(chunks, part_bytes)) await sendPart(part);
    await putTogether();
  });
  return {
    name,
    stream,
    send: null,
    async readBack() {
      const { chunks } = await client.download(key).catch((error: unknown) => {
        throw failure ?? error;
      });
      return Readable.from(chunks);
    },
    publish: async () => undefined,
    async discard() {
      stream.destroy();
      await abortUpload(client, key, upload_id);
      if (may_be_stored) await client.ask({ method: 'DELETE', key });
    },
  };
}

async function abortUpload(client: S3Client, key: string, upload_id: string): Promise<void> {
  const query = { uploadId: upload_id };
  // Remains that cannot be removed at once are removed before the next file.
  await client.ask({ method: 'DELETE', key, query, tries: 1 }).catch(() => undefined);
}

/** Divides bytes into parts of one size; the last one may be smaller. */
async function* divide(chunks: AsyncIterable<Buffer>, part_bytes: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let waiting_bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    waiting_bytes += chunk.length;
    while (waiting_bytes >= part_bytes) {
      const bytes = Buffer.concat(waiting);
      yield bytes.subarray(0, part_bytes);
      waiting = [bytes.subarray(part_bytes)];
      waiting_bytes -= part_bytes;
    }
  }
  if (waiting_bytes > 0) yield Buffer.concat(waiting);
}
