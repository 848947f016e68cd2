import assert from 'node:assert/strict';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { ours, startAnsweringServer, succeed } from './answering-server.ts';
import type { SentAnswer } from './answering-server.ts';
import { makeDevice, startServer } from './device.ts';
import type { CallError } from './engine.ts';
import { engines } from './engines.ts';
import type { Exchange } from './transcript.ts';
import { bundledTypescript } from './typescript-bundle.ts';

const page: SentAnswer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<p>Bad Gateway</p>',
};

/** Puts files in the places of the folders of a game. They refuse every write, also those of root. */
async function blockStorage(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
  for (const path of paths) {
    await rename(path, `${path}.away`);
    await writeFile(path, '');
  }
  return async () => {
    for (const path of paths) {
      await rm(path);
      await rename(`${path}.away`, path);
    }
  };
}

/** Waits for all calls, and returns their errors. An error of a call that nobody waits for ends the tests. */
async function listFailures(calls: Promise<unknown>[]): Promise<CallError[]> {
  const outcomes = await Promise.allSettled(calls);
  return outcomes.map((outcome) => {
    assert.equal(outcome.status, 'rejected');
    return outcome.reason as CallError;
  });
}

const describeFailure = ({ code, isKept }: CallError) => `${code}, ${isKept ? '' : 'not '}kept`;

for (const engine of engines) {
  describe(`${engine.name} and a storage that takes nothing`, { skip: engine.skip }, () => {
    test('a call is kept only if it is stored, and the storage is told once', async (t) => {
      const server = await startAnsweringServer(t);
      const { start, folder } = await makeDevice(t, engine, server.url);
      const game = await start();
      server.answer = succeed;
      assert.equal(await game.call('flush'), true);
      server.answer = () => page;
      const unblock = await blockStorage(folder);
      const fail = () =>
        listFailures([
          game.call('leaderboards.submit', { board: 'b', score: 1 }),
          game.call('saves.save', { text: '{"a":1}' }),
          game.call('achievements.unlock', { key: 'k' }),
        ]);
      const lost = await fail();
      assert.deepEqual(lost.map(describeFailure), Array(3).fill('store_failed, not kept'));
      assert.match(lost[0]!.message, /full or blocked.*not from Overworld/);
      assert.equal(await game.call('queued_calls'), 0);
      const { errors } = await game.call('reports');
      const codes = errors.map(({ code }: { code: string }) => code);
      assert.deepEqual(codes.filter((code: string) => code === 'store_failed').length, 1);
      const said: string[] = await game.call('said');
      assert.equal(said.filter((text) => text.includes('full or blocked')).length, 1);

      await unblock();
      assert.deepEqual((await fail()).map(describeFailure), Array(3).fill('bad_answer, kept'));
      assert.equal(await game.call('queued_calls'), 3);
      server.answer = succeed;
      assert.equal(await game.call('flush'), true);
    });

    test('a kept call of a kind that this release does not know holds up nothing', async (t) => {
      const server = await startAnsweringServer(t);
      server.answer = succeed;
      const { start, folder } = await makeDevice(t, engine, server.url);
      const first = await start();
      await first.call('flush');
      await first.kill();
      const [name] = await readdir(folder);
      const call = { kind: 'guilds', player_id: 'p-1', target: '' };
      await writeFile(join(folder, name!, 'call-000000000000001'), JSON.stringify(call));
      const next = await start();
      assert.equal(await next.call('flush'), true);
    });

    test('events are told and sent', async (t) => {
      const server = await startAnsweringServer(t);
      const { start, folder } = await makeDevice(t, engine, server.url);
      const game = await start();
      server.answer = succeed;
      assert.equal(await game.call('flush'), true);
      await blockStorage(folder);
      for (const event_name of ['first', 'second']) await game.call('track', { event_name });
      await waitUntil('it is told', async () => (await game.call('reports')).errors.length > 0);
      assert.equal(await game.call('flush'), true);
      const { errors, dropped, queued } = await game.call('reports');
      const codes = errors.map(({ code }: { code: string }) => code);
      assert.deepEqual([codes, dropped, queued], [['store_failed'], [], 0]);
    });

    test('a save that an earlier call could not send is not kept', async (t) => {
      const server = await startAnsweringServer(t);
      const { start, folder } = await makeDevice(t, engine, server.url);
      const game = await start();
      await blockStorage(folder);
      server.answer = () => page;
      const failures = await listFailures([
        game.call('saves.load'),
        game.call('saves.save', { text: '{"a":1}' }),
      ]);
      assert.deepEqual(failures.map(describeFailure), [
        'bad_answer, not kept',
        'store_failed, not kept',
      ]);
      assert.equal(await game.call('queued_calls'), 0);
    });

    test('a save that is not kept, and whose answer was lost, does not conflict with the next save', async (t) => {
      const server = await startServer(t);
      const { start, folder } = await makeDevice(t, engine, server.url);
      const game = await start();
      await blockStorage(folder);
      const write = (level: number) => game.call('saves.save', { text: `{"level":${level}}` });
      const save = (level: number, version: number, answer: Exchange['answer']): Exchange => ({
        request: {
          method: 'PUT',
          path: '/v1/saves',
          body: { player_id: 'p-1', version, data: { level } },
        },
        answer,
      });
      const updated_at = '2030-01-01T00:00:00.000Z';
      const expired = { status: 401, body: { error: 'API key has expired' } };
      server.expect([save(1, 0, 'lost'), save(1, 0, expired)]);
      await assert.rejects(write(1), { code: 'store_failed' });
      server.verify();
      const conflict = {
        error: 'Version conflict',
        server_version: 1,
        server_data: { level: 1 },
        updated_at,
      };
      server.expect([
        save(2, 0, { status: 409, body: conflict }),
        save(2, 1, { status: 200, body: { success: true, version: 2, updated_at } }),
      ]);
      const { version, was_conflict } = await write(2);
      assert.deepEqual([version, was_conflict], [2, false]);
      server.verify();
    });
  });
}

describe('more calls than may wait', () => {
  for (const engine of engines) {
    test(
      `${engine.name}: scores between the highest and the lowest of a board are given up first`,
      { skip: engine.skip },
      async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        server.answer = () => ours(401, { error: 'API key has expired' });
        await assert.rejects(game.call('achievements.unlock', { key: 'k' }), { isKept: true });
        for (let score = 1; score <= 200; score++) {
          const value = score === 3 ? 1_000 : score === 4 ? 0 : score;
          const submit = game.call('leaderboards.submit', { board: 'b', score: value });
          await assert.rejects(submit, { isKept: true });
        }
        assert.equal(await game.call('queued_calls'), 200);
        const { errors } = await game.call('reports');
        const codes = errors.map(({ code }: { code: string }) => code);
        assert.deepEqual(codes, ['queue_full']);
        const sent: number[] = [];
        server.answer = (line, body) => {
          if (line.endsWith('/leaderboards')) sent.push(JSON.parse(body).score);
          return succeed(line, body);
        };
        assert.equal(await game.call('flush'), true);
        // The first answer says that the board keeps the best.
        assert.deepEqual(sent, [2, 1_000, 0]);
      },
    );
  }
});

describe('equal scores with tie values', () => {
  for (const engine of engines) {
    test(`${engine.name}: are sent in their order`, { skip: engine.skip }, async (t) => {
      const server = await startAnsweringServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      server.answer = () => ours(401, { error: 'API key has expired' });
      for (const [score, tie_value] of [
        [5, 300],
        [4, 100],
        [5, 200],
        [3, 90],
      ]) {
        const submit = game.call('leaderboards.submit', { board: 'b', score, tie_value });
        await assert.rejects(submit, { isKept: true });
      }
      const sent: number[][] = [];
      server.answer = (line, body) => {
        if (line.endsWith('/leaderboards')) {
          const { score, tie_value } = JSON.parse(body);
          sent.push([score, tie_value]);
        }
        return succeed(line, body);
      };
      assert.equal(await game.call('flush'), true);
      assert.deepEqual(sent, [
        [5, 300],
        [5, 200],
        [3, 90],
      ]);
    });
  }
});

describe('a board that is refused for an hour', () => {
  for (const engine of [bundledTypescript, ...engines]) {
    test(
      `${engine.name}: does not hold up the scores of other boards`,
      { skip: engine.skip },
      async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const submit = (board: string) => game.call('leaderboards.submit', { board, score: 1 });
        server.answer = (line, body) =>
          body.includes('refused')
            ? {
                status: 429,
                headers: { 'content-type': 'application/json', 'retry-after': '3000' },
                body: '{"error":"Too Many Requests","statusCode":429,"message":"Your network has made 20 new leaderboards"}',
              }
            : succeed(line, body);
        await assert.rejects(submit('refused'), { code: 'rate_limited' });
        assert.equal((await submit('other')).rank, 1);
        assert.equal(await game.call('queued_calls'), 1);
        await assert.rejects(submit('refused'), { code: 'rate_limited' });
        assert.equal(await game.call('queued_calls'), 2);
        server.answer = succeed;
        assert.equal(await game.call('flush'), true);
      },
    );
  }
});
