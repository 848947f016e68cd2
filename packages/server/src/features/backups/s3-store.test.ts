import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { startFaultyS3, startS3Server } from '../../../test/s3-server.ts';
import type { S3Server } from '../../../test/s3-server.ts';
import type { S3Place } from '../../platform/stores/store-place.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import { makeBackup } from './make-backup.ts';
import { openS3Store } from '../../platform/stores/s3-store.ts';

/** The test of a real upload has several parts, all small. */
const part_bytes = 1_000;
/** Tests do not wait long for servers that never answer. */
const WAITS = {
  part_bytes,
  timeout_ms: 300,
  tries: 3,
  retry_ms: 5,
  stall_ms: 300,
  spool_folder: tmpdir(),
};

let server: TestServer;
let s3: S3Server;
before(async () => {
  server = await startTestServer();
  s3 = await startS3Server();
});
after(async () => {
  await s3.close();
  await server.close();
});

const backUp = (place: S3Place, keep = 3) =>
  makeBackup(server.database, openS3Store(place, WAITS), { keep });

async function rejectsWith(work: Promise<unknown>, words: RegExp) {
  await assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof StoreError, error.stack);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /S3RVER|WRONG/);
    return true;
  });
}

test('an object is stored in parts, listed in its folder alone, read and removed', async () => {
  const store = openS3Store({ ...s3.place, prefix: 'a/b/' }, { ...WAITS, spool_folder: null });
  const content = randomBytes(10_500);
  const target = await store.create('file');
  assert.deepEqual(await store.list(), []);
  await pipeline(
    [content.subarray(0, 7), content.subarray(7, 9_000), content.subarray(9_000)],
    target.stream,
  );
  assert.deepEqual(await buffer(await target.readBack!()), content);
  assert.deepEqual(await store.list(), ['file']);
  assert.deepEqual(await openS3Store({ ...s3.place, prefix: 'a/' }, WAITS).list(), []);
  const { source, bytes } = await store.read('file');
  assert.equal(bytes, content.length);
  assert.deepEqual(await buffer(source), content);
  await store.remove('file');
  assert.deepEqual(await store.list(), []);
  await rejectsWith(store.read('file'), /NoSuchKey/);
});

test('uploads that were never ended are removed when they are old enough', async () => {
  const now = Date.now();
  const uploads = [
    ['old', 'studio/game=1', 90_000_000],
    ['young', 'studio/game=1', 1_000],
    ['other', 'studio/backup', 90_000_000],
  ].map(
    ([id, key, age]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(now - Number(age)).toISOString()}</Initiated></Upload>`,
  );
  const ended: string[] = [];
  await using faulty = await startFaultyS3(s3, {
    interfere({ method, url }, answer) {
      if (method === 'DELETE') ended.push(/uploadId=(\w+)/.exec(url!)![1]!);
      const list = `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`;
      answer.end(method === 'DELETE' ? '' : list);
      return true;
    },
  });
  const store = openS3Store(faulty.place, WAITS);
  await store.removeUnfinished('game=', 86_400_000);
  assert.deepEqual(ended, ['old']);
  await store.removeUnfinished('game=');
  assert.deepEqual(ended, ['old', 'old', 'young']);
});

test('an installation backs itself up to a bucket, and keeps the newest backups there', async () => {
  await using own = await startS3Server('');
  const names = [];
  for (let count = 0; count < 3; count++) names.push((await backUp(own.place, 2)).name);
  assert.deepEqual(await own.listObjects(), names.slice(1));
});

test('a wrong list of the bucket ends a backup, and removes none', async () => {
  const lists: [RegExp, (list: string) => string][] = [
    [/something other than the list/, () => '<html>Welcome</html>'],
    [/listed only a part/, (list) => list.replace('>false<', '>true<')],
    [/does not list it/, (list) => list.replace(/<Contents>.*<\/Contents>/s, '')],
  ];
  for (const [words, change] of lists) {
    await using own = await startS3Server('');
    const { name } = await backUp(own.place, 1);
    await using faulty = await startFaultyS3(own, {
      change: (asked, body) =>
        /list-type=2/.test(asked.url!) ? Buffer.from(change(body.toString())) : body,
    });
    await rejectsWith(backUp(faulty.place, 1), words);
    assert.deepEqual(await own.listObjects(), [name]);
    const next = await backUp(own.place, 1);
    assert.deepEqual(await own.listObjects(), [next.name]);
  }
});

test('wrong keys, a missing bucket and a server that is away are named, without a key', async () => {
  const { place } = s3;
  const withAccess = (access: Partial<S3Place['access']>) => ({
    ...place,
    access: { ...place.access, ...access },
  });
  const advice =
    /check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and their rights on the bucket/;
  await rejectsWith(backUp(withAccess({ secret_access_key: 'WRONG' })), advice);
  await rejectsWith(backUp(withAccess({ access_key_id: 'WRONG' })), advice);
  await rejectsWith(backUp({ ...place, bucket: 'missing' }), /there is no bucket missing/);
  const gone = await startFaultyS3(s3, {});
  await gone.close();
  await rejectsWith(
    backUp(gone.place),
    /^The S3 server at 127\.0\.0\.1:\d+ cannot be reached: ECONNREFUSED/,
  );
});
