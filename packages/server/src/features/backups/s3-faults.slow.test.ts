import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { startFaultyS3, startS3Server } from '../../../test/s3-server.ts';
import type { Interfere, S3Server } from '../../../test/s3-server.ts';
import type { S3Place } from '../../platform/stores/store-place.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import { makeBackup } from './make-backup.ts';
import { openS3Store } from '../../platform/stores/s3-store.ts';

/** Backups have several parts, and tests do not wait long for servers that never answer. */
const WAITS = {
  part_bytes: 1_000,
  timeout_ms: 500,
  tries: 3,
  retry_ms: 5,
  stall_ms: 500,
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

const backUp = (place: S3Place) =>
  makeBackup(server.database, openS3Store(place, WAITS), { keep: 100 });

/** Interferes with each request that matches, `times` times. */
const interfereWith =
  (pattern: RegExp, times: number, act: Interfere): Interfere =>
  (asked, answer) => {
    if (!pattern.test(`${asked.method} ${asked.url}`) || times-- <= 0) return false;
    return act(asked, answer);
  };

const answerWith =
  (status: number, body: string): Interfere =>
  (asked, answer) => {
    asked.resume();
    answer.writeHead(status, { 'content-type': 'application/xml', etag: '"0"' }).end(body);
    return true;
  };

const PART = /^PUT .*partNumber=2&/;
const COMPLETE = /^POST .*[?&]uploadId=/;
const READ = /^GET [^?]*\.ndjson\.gz/;

test('failures in passing are waited out', async () => {
  for (const act of [
    answerWith(503, '<Error><Code>SlowDown</Code><Message>Slow</Message></Error>'),
    answerWith(500, ''),
    ((asked) => {
      asked.destroy();
      return true;
    }) satisfies Interfere,
    (() => true) satisfies Interfere,
  ]) {
    const interfere = interfereWith(/./, 2, act);
    await using faulty = await startFaultyS3(s3, { interfere });
    const { name } = await backUp(faulty.place);
    assert.ok((await s3.listObjects()).includes(`studio/${name}`));
  }
});

test('a server that lies, breaks off or fails leaves no backup, and older ones stay', async () => {
  const good = await backUp(s3.place);
  const objects = await s3.listObjects();
  assert.ok(objects.includes(`studio/${good.name}`));
  const cut = (body: Buffer) => body.subarray(0, body.length >> 1);
  const flip = (body: Buffer) => {
    const flipped = Buffer.from(body);
    flipped[body.length >> 1]! ^= 1;
    return flipped;
  };
  const changing = (make: (body: Buffer) => Buffer) => ({
    change: (asked: { method?: string; url?: string }, body: Buffer) =>
      READ.test(`${asked.method} ${asked.url}`) ? make(body) : body,
  });
  const always = (pattern: RegExp, act: Interfere) => ({
    interfere: interfereWith(pattern, Infinity, act),
  });
  const faults: [string, Parameters<typeof startFaultyS3>[1], RegExp][] = [
    ['half an object', changing(cut), /was written, but is not whole/],
    ['a flipped bit', changing(flip), /was written, but/],
    ['nothing', changing(() => Buffer.alloc(0)), /was written, but is not whole/],
    [
      'a late failure',
      always(COMPLETE, answerWith(200, '<Error><Code>InternalError</Code></Error>')),
      /did not store .+: InternalError/,
    ],
    [
      'a success that it made up',
      always(COMPLETE, answerWith(200, '<CompleteMultipartUploadResult/>')),
      /NoSuchKey/,
    ],
    [
      'a refusal',
      always(PART, answerWith(400, '<Error><Code>EntityTooLarge</Code></Error>')),
      /EntityTooLarge/,
    ],
    ['a lasting failure', always(PART, answerWith(500, '')), /answered 500/],
    ['no answer', always(PART, () => true), /did not answer|stopped/],
    ['another region', always(/^POST/, answerWith(301, '')), /set AWS_REGION/],
    [
      'a clock that is wrong',
      always(/^POST/, answerWith(403, '<Error><Code>RequestTimeTooSkewed</Code></Error>')),
      /set the clock of this machine/,
    ],
    [
      'a page of another server',
      always(/./, answerWith(200, '<html>Welcome</html>')),
      /something other than the list of s3:/,
    ],
  ];
  for (const [fault, options, words] of faults) {
    await using faulty = await startFaultyS3(s3, options);
    await assert.rejects(backUp(faulty.place), (error: Error) => {
      assert.ok(error instanceof StoreError, error.stack);
      assert.match(error.message, words, fault);
      return true;
    });
    assert.deepEqual(await s3.listObjects(), objects, fault);
  }
});

test('an answer that was lost after the last request does not lose the backup', async () => {
  let lost = false;
  await using faulty = await startFaultyS3(s3, {
    change(asked, body) {
      if (lost || !COMPLETE.test(`${asked.method} ${asked.url}`)) return body;
      lost = true;
      asked.socket.destroy();
      return body;
    },
  });
  const { name } = await backUp(faulty.place);
  assert.ok(lost && (await s3.listObjects()).includes(`studio/${name}`));
});
