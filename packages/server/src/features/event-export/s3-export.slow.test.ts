import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestGame, TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { startFaultyS3, startS3Server } from '../../../test/s3-server.ts';
import type { Interfere } from '../../../test/s3-server.ts';
import { openS3Store } from '../../platform/stores/s3-store.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import type { S3Place } from '../../platform/stores/store-place.ts';
import { createFileReader, exportOnce, listStored } from './test/exported-files.ts';

/** Tests do not wait long for servers that never answer. */
const OPTIONS = {
  setting: 'EVENTS_EXPORT_TO',
  spool_folder: null,
  part_bytes: 1_000,
  timeout_ms: 500,
  tries: 2,
  retry_ms: 5,
  stall_ms: 500,
};

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const exportTo = (place: S3Place) => exportOnce(server.database, openS3Store(place, OPTIONS));

const answerWith =
  (status: number, body: string): Interfere =>
  (asked, answer) => {
    asked.resume();
    answer.writeHead(status, { 'content-type': 'application/xml', etag: '"0"' }).end(body);
    return true;
  };

const onRequests = (pattern: RegExp, act: Interfere) => ({
  interfere: ((asked, answer) =>
    pattern.test(`${asked.method} ${asked.url}`) && act(asked, answer)) satisfies Interfere,
});

const onReads = (make: (body: Buffer) => Buffer) => ({
  change: (asked: { method?: string; url?: string }, body: Buffer) =>
    asked.method === 'GET' && /parquet(\?|$)/.test(asked.url!) ? make(body) : body,
});

const PART = /^PUT .*partNumber=/;
const COMPLETE = /^POST .*[?&]uploadId=/;

test('a bucket that lies, is full, slow or away ends the run, and then each event is there once', async () => {
  await using s3 = await startS3Server();
  const { game_id, production_key } = await server.makeGame();
  const game = server.database.ofGame(game_id);
  const flip = (body: Buffer) => {
    const flipped = Buffer.from(body);
    flipped[body.length >> 1]! ^= 1;
    return flipped;
  };
  const faults: [string, Parameters<typeof startFaultyS3>[1], RegExp][] = [
    ['half an object', onReads((body) => body.subarray(0, body.length >> 1)), /other bytes/],
    ['a flipped bit', onReads(flip), /other bytes/],
    [
      'a late failure',
      onRequests(COMPLETE, answerWith(200, '<Error><Code>InternalError</Code></Error>')),
      /did not store .+: InternalError/,
    ],
    [
      'a success that it made up',
      onRequests(COMPLETE, answerWith(200, '<CompleteMultipartUploadResult/>')),
      /NoSuchKey/,
    ],
    [
      'a full bucket',
      onRequests(PART, answerWith(507, '<Error><Code>QuotaExceeded</Code></Error>')),
      /QuotaExceeded/,
    ],
    [
      'a missing bucket',
      onRequests(/^POST/, answerWith(404, '<Error><Code>NoSuchBucket</Code></Error>')),
      /check EVENTS_EXPORT_TO/,
    ],
    ['no answer', onRequests(PART, () => true), /did not answer|stopped/],
  ];
  const send = async () => {
    const body = Array.from({ length: 50 }, (_, number) => ({
      event_name: 'e',
      session_id: 's',
      properties: { number, text: crypto.randomUUID() },
    }));
    await server.request('POST', '/v1/track', { key: production_key, body });
    await waitForIngest(game, game_id);
  };
  for (const [fault, options, words] of faults) {
    await send();
    const objects = await s3.listObjects();
    await using faulty = await startFaultyS3(s3, options);
    await assert.rejects(
      exportTo(faulty.place),
      (error: Error) => {
        assert.ok(error instanceof StoreError, error.stack);
        assert.match(error.message, words, fault);
        assert.doesNotMatch(error.message, /S3RVER/);
        return true;
      },
      fault,
    );
    assert.deepEqual(await s3.listObjects(), objects, `${fault}: nothing is left`);
    await exportTo(s3.place);
  }
  const gone = await startFaultyS3(s3, {});
  await gone.close();
  await send();
  await assert.rejects(exportTo(gone.place), /cannot be reached: ECONNREFUSED/);
  await exportTo(s3.place);

  const store = openS3Store(s3.place, OPTIONS);
  const prefix = /^studio\//;
  const reader = createFileReader({
    list: async () => (await s3.listObjects()).map((name) => name.replace(prefix, '')),
    read: async (name) => buffer((await store.read(name)).source),
  });
  const stored = await listStored(game, game_id);
  assert.equal(stored.length, 50 * (faults.length + 1));
  assert.deepEqual(await reader.listIds(game_id), stored);
});

test('keys without the right to delete stop only the game whose file must go, until they have it', async () => {
  await using s3 = await startS3Server();
  const games = [await server.makeGame(), await server.makeGame()];
  // The game whose file must go comes first in each run.
  const [erased, other] = games.toSorted((a, b) => (a.game_id < b.game_id ? -1 : 1)) as [
    TestGame,
    TestGame,
  ];
  const { token } = await server.makeAccount({ game_id: erased.game_id });
  await exportTo(s3.place);
  const track = async ({ game_id, production_key: key }: TestGame) => {
    const body = { event_name: 'e', session_id: 's', player_id: 'gone' };
    await server.request('POST', '/v1/track', { key, body });
    await waitForIngest(server.database.ofGame(game_id), game_id);
  };
  const listOf = async ({ game_id }: TestGame) =>
    (await s3.listObjects()).filter((name) => name.includes(game_id));
  const refusal = answerWith(403, '<Error><Code>AccessDenied</Code><Message>No</Message></Error>');
  await using limited = await startFaultyS3(s3, onRequests(/^DELETE/, refusal));
  /** Plans a file of the game, which a server writes and then is killed, and erases its player. */
  const leaveFile = async (is_written: boolean) => {
    await track(erased);
    const store = openS3Store(s3.place, OPTIONS);
    const killed = exportOnce(server.database, {
      ...store,
      async replace(name) {
        const target = await store.replace(name);
        const publish = () => Promise.reject(new Error('killed'));
        return {
          ...target,
          publish,
          discard: () => (is_written ? Promise.resolve() : target.discard()),
        };
      },
    });
    await assert.rejects(killed, { message: 'killed' });
    const path = `/v1/games/${erased.game_id}/players/gone?environment=production`;
    assert.equal((await server.request('DELETE', path, { token })).status, 204);
  };

  await leaveFile(false);
  await track(other);
  await exportTo(limited.place);
  assert.deepEqual((await listOf(erased)).length, 0, 'nothing is there, so nothing must go');
  assert.equal((await listOf(other)).length, 1);

  await leaveFile(true);
  await track(other);
  for (let run = 0; run < 2; run++) {
    await assert.rejects(
      exportTo(limited.place),
      /game=.+parquet must be removed, because its players were erased, .+ right to delete objects\. The S3 server at .+ answered 403, AccessDenied, No/,
    );
    assert.equal((await listOf(other)).length, 2, 'the other game is exported');
    assert.equal((await listOf(erased)).length, 1);
  }
  await track(erased);
  await exportTo(s3.place);
  const [left, ...more] = await listOf(erased);
  assert.deepEqual(more, []);
  assert.match(left!, /events-0*3-/);
});
