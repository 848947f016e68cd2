import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { startAnsweringServer, succeed } from './answering-server.ts';
import type { SentAnswer } from './answering-server.ts';
import { makeDevice } from './device.ts';
import { CallError } from './engine.ts';
import { engines } from './engines.ts';
import { bundledTypescript } from './typescript-bundle.ts';

/** An answer to a call, and what the SDK must make of it. */
interface Case extends SentAnswer {
  answer: string;
  call: 'leaderboards.page' | 'saves.delete';
  /** The code of the call's error; null if the call succeeds. */
  code: string | null;
}

const table = new URL('../transcripts/tables/answers.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(table, 'utf8')) as { cases: Case[] };
const foreign = cases.filter(({ code }) => code === 'bad_answer');

for (const engine of [bundledTypescript, ...engines]) {
  const { name, skip } = engine;
  describe(
    `${name}: an answer counts only if it is the server's`,
    { skip, concurrency: true },
    () => {
      test('each answer of the table', async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        // The name of the board or slot tells which case a request is.
        server.answer = (line) =>
          cases[Number(/case-(\d+)/.exec(line)?.[1])] ?? succeed(line, '[]');
        const problems: string[] = [];
        await Promise.all(
          cases.map(async ({ answer, call, status, code }, index) => {
            const place = `case-${index}`;
            const outcome = await game.call(call, { board: place, slot: place }).then(
              () => null,
              (error: unknown) => error,
            );
            if (outcome !== null && !(outcome instanceof CallError)) throw outcome;
            const actual = outcome && `${outcome.code} ${outcome.status}`;
            const expected = code && `${code} ${status}`;
            if (actual !== expected) problems.push(`${answer}: ${actual}, not ${expected}`);
          }),
        );
        assert.deepEqual(problems, []);
      });

      test('an error names the place of a redirect without its query, which may be secret', async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const headers = { location: '/portal?session=s3cret' };
        server.answer = () => ({ status: 302, headers, body: '' });
        const failure: CallError = await game.call('leaderboards.page', { board: 'b' }).then(
          () => assert.fail('a redirect is no success'),
          (error: CallError) => error,
        );
        assert.match(failure.message, /\/portal/);
        assert.doesNotMatch(failure.message, /s3cret/);
      });

      test('events stay at each answer of somebody else', async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        server.answer = succeed;
        assert.equal(await game.call('flush'), true);
        await game.call('track', { event_name: 'kept' });
        for (const answer of foreign) {
          server.answer = () => answer;
          assert.equal(await game.call('flush'), false, answer.answer);
          const { queued, dropped } = await game.call('reports');
          assert.deepEqual([queued, dropped], [1, []], answer.answer);
        }
        server.answer = succeed;
        await waitUntil('they are sent', async () => game.call('flush'));
        assert.deepEqual((await game.call('reports')).dropped, []);
      });

      test('kept calls stay, and are sent when the server answers', async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const html = { 'content-type': 'text/html' };
        for (const [round, status] of [404, 403, 200, 302].entries()) {
          server.answer = () => ({ status, headers: html, body: '<p>Not here</p>' });
          const calls = [
            game.call('leaderboards.submit', { board: 'b', score: 1 }),
            game.call('saves.save', { text: '{"a":1}' }),
            game.call('achievements.unlock', { key: 'k' }),
          ];
          const codes = (await Promise.allSettled(calls)).map(
            (settled) => settled.status === 'rejected' && (settled.reason as CallError).code,
          );
          assert.deepEqual(codes, ['bad_answer', 'bad_answer', 'bad_answer'], `${status}`);
          // Each score stays, because the board may count it.
          assert.equal(await game.call('queued_calls'), 3 + round, `${status}`);
        }
        server.answer = succeed;
        await waitUntil('they are sent', async () => game.call('flush'));
        assert.equal(await game.call('queued_calls'), 0);
      });
    },
  );
}

for (const engine of engines) {
  test(
    `${engine.name}: a first login that met somebody else's 404 is tried again`,
    { skip: engine.skip },
    async (t) => {
      const server = await startAnsweringServer(t);
      const { start } = await makeDevice(t, engine, server.url, { player_id: undefined });
      const game = await start();
      const html = { 'content-type': 'text/html' };
      let tokens = 0;
      let isPage = true;
      server.answer = (line, body) => {
        const isLogin = line.includes('/login');
        if (isLogin && !isPage) tokens++;
        return isLogin && isPage
          ? { status: 404, headers: html, body: '<p>404</p>' }
          : succeed(line, body);
      };
      await game.call('achievements.unlock', { key: 'k' });
      isPage = false;
      await game.call('advance', { seconds: 31 });
      await game.call('achievements.unlock', { key: 'k' });
      assert.equal(tokens, 1);
    },
  );
}
