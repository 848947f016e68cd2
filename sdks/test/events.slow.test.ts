import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, existsSync, globSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { csharp } from './csharp.ts';
import { makeDevice, startServer } from './device.ts';
import { engines } from './engines.ts';
import { accept, askForTime, event, track } from './exchanges.ts';

const DAY_SECONDS = 24 * 60 * 60;

for (const engine of engines) {
  describe(`${engine.name} and its events`, { skip: engine.skip }, () => {
    test('a session survives a restart and ends after a pause of half an hour', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const first = await start();
      server.expect([askForTime(), accept('key-1', event('session_start', 'a'))]);
      assert.equal(await first.call('flush'), true, JSON.stringify(await first.call('reports')));
      await first.kill();

      const second = await start();
      await second.call('track', { event_name: 'on' });
      await second.call('advance', { seconds: 29 * 60 });
      await second.call('track', { event_name: 'still' });
      await second.call('advance', { seconds: 31 * 60 });
      await second.call('track', { event_name: 'again' });
      server.expect([
        askForTime(),
        accept(
          'key-2',
          event('on', 'a'),
          event('still', 'a'),
          event('session_end', 'a', { duration_ms: '{whole}' }),
          event('session_start', 'b'),
          event('again', 'b'),
        ),
      ]);
      assert.equal(await second.call('flush'), true);
      server.verify();
    });

    test('an unanswered batch is sent again unchanged for six days, even after a restart', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const first = await start();
      await first.call('track', { event_name: 'sent' });
      await first.call('track', { event_name: 'rest' });
      const sent = [event('session_start', 'a'), event('sent', 'a')];
      server.expect([
        askForTime(),
        track('key-1', [...sent, event('rest', 'a')], { status: 413 }),
        track('key-2', sent, 'lost'),
      ]);
      assert.equal(await first.call('flush'), false);
      server.verify();
      await first.kill();

      const second = await start();
      const date = (days: number) =>
        new Date(Date.now() + days * DAY_SECONDS * 1_000).toUTCString();
      server.expect([askForTime({ date: date(5) }), track('key-2', sent, 'lost')]);
      assert.equal(await second.call('flush'), false);
      server.verify();
      await second.kill();

      const third = await start();
      server.expect([askForTime({ date: date(7) }), accept('key-3', event('rest', 'a'))]);
      assert.equal(await third.call('flush'), true);
      server.verify();
      assert.deepEqual((await third.call('reports')).dropped, [
        {
          reason: 'outcome_unknown',
          events: ['session_start', 'sent'],
          message: null,
          messages: [],
        },
      ]);
    });

    test('events that wait a week for a login are sent then', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const first = await start();
      const sent = event('session_start', 'a');
      const error = 'This player has logged in: send x-player-token';
      server.expect([askForTime(), track('key-1', [sent], { status: 401, body: { error } })]);
      assert.equal(await first.call('flush'), false);
      server.verify();
      await first.kill();

      const next = await start();
      const date = new Date(Date.now() + 7 * DAY_SECONDS * 1_000).toUTCString();
      server.expect([askForTime({ date }), accept('key-2', sent)]);
      assert.equal(await next.call('flush'), true);
      server.verify();
    });

    test('a batch that may be stored keeps its key when a later attempt lacks the login', async (t) => {
      const server = await startServer(t);
      const { start } = await makeDevice(t, engine, server.url);
      const sent = event('session_start', 'a');
      const error = 'This player has logged in: send x-player-token';
      for (const last of [
        track('key-1', [sent], 'lost'),
        track('key-1', [sent], { status: 401, body: { error } }),
        accept('key-1', sent),
      ]) {
        const game = await start();
        server.expect([askForTime(), last]);
        await game.call('flush');
        server.verify();
        await game.kill();
      }
    });

    test('a full queue drops its oldest events, but none of the batch being sent, and survives a crash', async (t) => {
      const server = await startServer(t);
      const options = { max_queued_events: 3 };
      const { start, folder } = await makeDevice(t, engine, server.url, options);
      const first = await start();
      await first.call('track', { event_name: 'a' });
      await first.call('track', { event_name: 'b' });
      const underWay = accept(
        'key-1',
        event('session_start', 's'),
        event('a', 's'),
        event('b', 's'),
      );
      const meanwhile = () => first.call('track', { event_name: 'no room' });
      server.expect([askForTime(), { ...underWay, meanwhile }]);
      assert.equal(await first.call('flush'), true);
      server.verify();
      for (const event_name of ['oldest', 'c', 'd', 'e']) await first.call('track', { event_name });
      assert.deepEqual((await first.call('reports')).dropped, [
        { reason: 'queue_full', events: ['no room'], message: null, messages: [] },
        { reason: 'queue_full', events: ['oldest'], message: null, messages: [] },
      ]);
      await first.kill();
      // This writes the beginning of a line, as a crash in the middle of a write would leave it.
      for (const path of globSync('**/queue-*', { cwd: folder })) {
        appendFileSync(join(folder, path), '{"event_name":');
      }

      const kept = [event('c', 's'), event('d', 's'), event('e', 's')];
      const second = await start();
      server.expect([askForTime(), track('key-2', kept, 'lost')]);
      assert.equal(await second.call('flush'), false);
      server.verify();
      await second.kill();
      const third = await start();
      server.expect([askForTime(), accept('key-2', ...kept)]);
      assert.equal(await third.call('flush'), true);
      server.verify();
    });

    test(
      'the other queue files are sent even if one of them cannot be read',
      { skip: engine !== csharp },
      async (t) => {
        const server = await startServer(t);
        const { start, folder } = await makeDevice(t, engine, server.url);
        const first = await start();
        await first.kill();
        const [kept] = globSync('**/queue-*', { cwd: folder });
        const unreadable = join(folder, kept!.replace('1-0000', '0-0000'));
        writeFileSync(unreadable, '@?\n');
        const second = await start();
        server.expect([askForTime(), accept('key-1', event('session_start', 'a'))]);
        assert.equal(await second.call('flush'), true);
        server.verify();
        assert.ok(existsSync(unreadable));
      },
    );

    test('a batch that is not answered in time is sent again under the same key', async (t) => {
      const batches: { key: unknown; text: string }[] = [];
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        if (request.method === 'POST') {
          const key = request.headers['idempotency-key'];
          batches.push({ key, text: Buffer.concat(chunks).toString() });
          if (batches.length === 1) return;
        }
        const headers = { connection: 'close', 'overworld-server': '0.1.0' };
        response.writeHead(200, headers).end('{"received":2}');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => {
        server.close();
        server.closeAllConnections();
      });
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      // The server does not answer the first batch. On a busy machine, later answers may also come after the
      // timeout.
      const { start } = await makeDevice(t, engine, url, { timeout_seconds: 0.3 });
      const game = await start();
      await game.call('track', { event_name: 'sent' });
      await waitUntil('the batch is answered', () => game.call('flush'));
      const { errors, dropped } = await game.call('reports');
      assert.ok(batches.length > 1);
      for (const batch of batches) assert.deepEqual(batch, batches[0]);
      assert.ok(errors.length > 0);
      for (const { code } of errors) assert.equal(code, 'timeout');
      assert.deepEqual(dropped, []);
    });
  });
}
