import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { makeDevice, startServer } from './device.ts';
import { csharp } from './csharp.ts';
import { engines } from './engines.ts';
import { accept, askForTime, event, track } from './exchanges.ts';
import { bundledTypescript } from './typescript-bundle.ts';

const MORE = 100;

/** The answer to a request of a player who has sent more than the game allows. */
const PAST_SHARE = {
  error: 'Too Many Requests',
  statusCode: 429,
  message: 'This player has sent more than the limit of 120 requests a minute, retry in 60 seconds',
};

describe('failed requests', { concurrency: true }, () => {
  for (const engine of [bundledTypescript, ...engines]) {
    const { name, skip } = engine;

    test(
      `${name}: the SDK sends events again by itself, after waits that grow or that the server asks for`,
      { skip },
      async (t) => {
        const server = await startServer(t);
        // The flush interval of this game is days long.
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const sent = [event('session_start', 's')];
        const more = Array.from({ length: MORE }, () => event('more', 's'));
        const arrivals: number[] = [];
        const arrive = async () => void arrivals.push(performance.now());
        // Even the events of a full batch are not sent before the wait is over.
        const meanwhile = async () => {
          for (let i = 0; i < MORE; i++) await game.call('track', { event_name: 'more' });
          await arrive();
        };
        const overloaded = { status: 503, headers: { 'retry-after': '1' }, body: { error: '…' } };
        const pastShare = { status: 429, headers: { 'retry-after': '2' }, body: PAST_SHARE };
        server.expect([
          askForTime(),
          { ...track('key-1', sent, overloaded), meanwhile },
          { ...track('key-1', sent, pastShare), meanwhile: arrive },
          { ...track('key-1', sent, 'lost'), meanwhile: arrive },
          { ...accept('key-1', ...sent), meanwhile: arrive },
          accept('key-2', ...more),
        ]);
        assert.equal(await game.call('flush'), false);
        const reports = () => game.call('reports');
        await waitUntil('all are sent', async () => (await reports()).queued === 0);
        server.verify();

        const waits = arrivals.slice(1).map((at, index) => at - arrivals[index]!);
        for (const [index, least_ms] of [1_000, 2_000, 1_000].entries()) {
          assert.ok(waits[index]! > least_ms - 10, `${waits}`);
        }
        const codes = (await reports()).errors.map(({ code }: { code: string }) => code);
        assert.deepEqual(codes, ['server_error', 'rate_limited', 'network']);
      },
    );

    test(`${name}: no events are sent after close, and flush reports that`, { skip }, async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      const sent = [
        event('session_start', 's'),
        event('session_end', 's', { duration_ms: '{whole}' }),
      ];
      server.expect([askForTime(), track('key-1', sent, 'lost')]);
      await game.call('close');
      assert.equal(await game.call('flush'), false);
      server.verify();
      assert.equal((await game.call('reports')).queued, 2);
    });

    test(
      `${name}: a call is not repeated if the server asks for a long wait`,
      { skip },
      async (t) => {
        const server = await startServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const later = new Date(Date.now() + 60_000).toUTCString();
        const overloaded = { status: 503, headers: { 'retry-after': later }, body: { error: '…' } };
        const pastShare = { status: 429, headers: { 'retry-after': '60' }, body: PAST_SHARE };
        for (const answer of [overloaded, pastShare]) {
          server.expect([
            {
              request: { method: 'GET', path: '/v1/achievements?player_id=p-1' },
              answer,
            },
          ]);
          const code = answer === pastShare ? 'rate_limited' : 'server_error';
          await assert.rejects(game.call('achievements.list'), { code });
          server.verify();
        }
      },
    );
  }

  // This test is only for C#. Godot does not tell whether the device has a network, and
  // the TypeScript SDK learns it from an event.
  test(
    'C#: events are sent at once when the device has a network again',
    { skip: csharp.skip },
    async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, csharp, server.url);
      const game = await start();
      await game.call('set_offline', { is_offline: true });
      await game.call('flush_on_error');
      // After this many failures the SDK waits at least half a minute.
      for (let i = 0; i < 8; i++) assert.equal(await game.call('flush'), false);
      server.expect([askForTime(), accept('key-1', event('session_start', 's'))]);
      await game.call('set_offline', { is_offline: false });
      await waitUntil('it is sent', async () => (await game.call('reports')).queued === 0);
      server.verify();
    },
  );
});

describe("a device's clock that is set back delays neither a retry nor a reload", () => {
  for (const engine of engines) {
    test(engine.name, { skip: engine.skip }, async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const game = await start();
      const load = () => game.call('config.load', { max_age_seconds: 60 });
      const setBack = () => game.call('advance', { seconds: -3_600 });
      const request = { method: 'GET', path: '/v1/config?player_id=p-1' };
      const answer = { status: 200, body: { config: {}, version: 1 } };
      const overloaded = { status: 503, body: { error: '…' } };
      // The SDK waits at least 250 ms before it tries again.
      const meanwhile = async () => void setTimeout(setBack, 100);
      server.expect([
        { request, answer: overloaded, meanwhile },
        { request, answer },
        { request, answer },
      ]);
      await load();
      // The clock now shows a time before the config was loaded. Such a config does not count as fresh.
      await setBack();
      await load();
      server.verify();
    });
  }
});
