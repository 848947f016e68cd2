import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { ours, startAnsweringServer, succeed } from './answering-server.ts';
import type { SentAnswer } from './answering-server.ts';
import { makeDevice } from './device.ts';
import type { CallError, GameOptions } from './engine.ts';
import { engines } from './engines.ts';
import { typescript } from './typescript.ts';

const expired = ours(401, { error: 'API key has expired' });

/** Notes how a call ends, so that a call that fails while nobody waits for it does not end the tests. */
const settle = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ code }: CallError) => code,
  );

for (const engine of [typescript, ...engines]) {
  /** Starts a game, and notes its requests. The server does not answer the first request like `held` before `release`. */
  const startGame = async (t: TestContext, held: RegExp, options: Partial<GameOptions> = {}) => {
    const server = await startAnsweringServer(t);
    const { start } = await makeDevice(t, engine, server.url, options);
    const game = await start();
    const requests: string[] = [];
    const { promise, resolve: release } = Promise.withResolvers<void>();
    let choose: (line: string, body: string) => SentAnswer | Promise<SentAnswer> = succeed;
    server.answer = async (line, body) => {
      const request = `${line} ${body}`;
      requests.push(request);
      if (held.test(request)) await promise;
      return choose(line, body);
    };
    t.after(() => release());
    const findRequest = (like: RegExp) => requests.findIndex((request) => like.test(request));
    return {
      game,
      requests,
      release,
      answer: (next: typeof choose) => void (choose = next),
      findRequest,
      waitForRequest: (like: RegExp) =>
        waitUntil(`${like} is sent`, async () => findRequest(like) >= 0),
    };
  };

  describe(`${engine.name}: what waits`, { skip: engine.skip }, () => {
    test('a save that is made after a deletion is sent after it', async (t) => {
      const { game, requests, release, waitForRequest } = await startGame(t, /"level":1/);
      const first = game.call('saves.save', { text: '{"level":1}' });
      await waitForRequest(/"level":1/);
      const others = [game.call('saves.delete'), game.call('saves.save', { text: '{"level":2}' })];
      await sleep(100);
      release();
      await Promise.all([first, ...others]);
      const methods = requests.filter((line) => line.includes('/saves')).map((line) => line[0]);
      assert.deepEqual(methods, ['P', 'D', 'P']);
    });

    test('no call of an erased player follows the erasure', async (t) => {
      const options = { player_id: undefined };
      const { game, findRequest, release, ...rest } = await startGame(t, /\/erase/, options);
      const { requests, waitForRequest } = rest;
      const submit = (score: number) => game.call('leaderboards.submit', { board: 'b', score });
      rest.answer((line, body) => (line.includes('/leaderboards') ? expired : succeed(line, body)));
      await assert.rejects(submit(1), { code: 'unauthorized' });
      // The server is away when the save is first sent, and the call is tried again.
      let tries = 0;
      rest.answer((line, body) =>
        line.includes('/saves') && tries++ === 0
          ? ours(503, { error: 'The server is restarting' })
          : succeed(line, body),
      );
      const saved = settle(game.call('saves.save', { text: '{"level":1}' }));
      await waitForRequest(/\/saves/);
      const erased = settle(game.call('account.erase_player'));
      await waitForRequest(/\/erase/);
      const made = [submit(2), game.call('saves.save', { text: '{"level":2}' })].map(settle);
      await sleep(100);
      release();
      assert.equal(await erased, 'done');
      assert.deepEqual([await saved, tries], ['done', 2]);
      assert.deepEqual(await Promise.all(made), ['not_found', 'not_found']);
      assert.equal(await game.call('queued_calls'), 0);
      const after = requests.slice(findRequest(/\/erase/) + 1);
      assert.deepEqual(
        after.filter((line) => /saves|leaderboards/.test(line)),
        [],
      );
    });

    test('a refresh that is refused after the player has logged in again ends no session', async (t) => {
      const { game, answer, release, waitForRequest } = await startGame(t, /\/refresh/);
      const session = (name: string, expires_at: string) =>
        ours(200, {
          player_id: 'account',
          player_token: name,
          refresh_token: name,
          expires_at,
          created: false,
          providers: ['custom'],
        });
      const logIn = () => game.call('account.login_with', { provider: 'custom', token: 't' });
      answer((line, body) =>
        line.includes('/login')
          ? session('first', '2020-01-01T00:00:00.000Z')
          : succeed(line, body),
      );
      await logIn();
      const early = settle(game.call('account.get_player_token'));
      await waitForRequest(/\/refresh/);
      answer((line, body) => {
        if (line.includes('/refresh')) return ours(401, { error: 'The session has ended' });
        if (line.includes('/login')) return session('second', '2100-01-01T00:00:00.000Z');
        return succeed(line, body);
      });
      await logIn();
      release();
      assert.equal(await early, 'done');
      assert.equal(await game.call('account.get_player_token'), 'second');
    });

    test('an export of much data may take longer than other calls', async (t) => {
      const options = { player_id: undefined, timeout_seconds: 1 };
      const { game, answer } = await startGame(t, /never/, options);
      answer(async (line, body) => {
        if (line.includes('/export')) await sleep(1_500);
        return succeed(line, body);
      });
      assert.equal(await game.call('account.export_data'), 'p-1');
    });

    test('if too many events wait, the oldest are dropped, also those of an earlier player', async (t) => {
      const { game } = await startGame(t, /./, { max_queued_events: 3 });
      for (const event_name of ['a', 'b']) await game.call('track', { event_name });
      await game.call('set_player_id', { player_id: 'p-2' });
      for (const event_name of ['c', 'd']) await game.call('track', { event_name });
      const { dropped, queued } = await game.call('reports');
      const names = dropped.flatMap(({ events }: { events: string[] }) => events);
      assert.deepEqual([names, queued], [['session_start', 'a'], 3]);
    });

    test('a save that is far too large costs no other call', async (t) => {
      const { game, answer } = await startGame(t, /never/);
      answer((line, body) => (body.length > 1_000_000 ? ours(413, { error: 'No' }) : expired));
      await assert.rejects(game.call('leaderboards.submit', { board: 'b', score: 1 }));
      const text = JSON.stringify({ text: 'x'.repeat(1_100_000) });
      await assert.rejects(game.call('saves.save', { text }), { code: 'too_large' });
      assert.equal(await game.call('queued_calls'), 1);
    });

    test('a flush ends when the player withdraws its consent meanwhile', async (t) => {
      const { game, answer, release, waitForRequest } = await startGame(t, /"score":2/);
      answer(() => expired);
      for (const call of [
        () => game.call('leaderboards.submit', { board: 'b', score: 1 }),
        () => game.call('saves.save', { text: '{"level":1}' }),
        () => game.call('achievements.unlock', { key: 'k' }),
      ]) {
        await assert.rejects(call(), { code: 'unauthorized' });
      }
      answer(succeed);
      const last = settle(game.call('leaderboards.submit', { board: 'b', score: 2 }));
      const flushed = game.call('flush');
      await waitForRequest(/"score":2/);
      await game.call('set_tracking', { is_enabled: false });
      release();
      assert.equal(await flushed, false);
      assert.equal(await last, 'done');
    });
  });
}
