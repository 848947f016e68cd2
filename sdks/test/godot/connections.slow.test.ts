import assert from 'node:assert/strict';
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDevice } from '../device.ts';
import type { Engine } from '../engine.ts';
import { makeCertificate, reply, startRawServer } from '../raw-server.ts';
import { godot, makeGodot } from './godot.ts';
import { prepareProject } from './project.ts';

const EMPTY = reply('{"entries":[]}');
const MAX_CONNECTIONS = 4;

async function startGame(t: TestContext, url: string, timeout_seconds = 10, engine = godot) {
  const { start } = await makeDevice(t, engine, url, { timeout_seconds });
  const game = await start();
  return { page: () => game.call('leaderboards.page', { board: 'b' }), game };
}

/** Makes an engine with a project that trusts these certificates, and no others. */
async function trust(t: TestContext, certificates: string[]): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-project-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(await prepareProject(), folder, { recursive: true });
  await writeFile(join(folder, 'trusted.crt'), certificates.join('\n'));
  const setting = '\n[network]\n\ntls/certificate_bundle_override="res://trusted.crt"\n';
  await appendFile(join(folder, 'project.godot'), setting);
  return makeGodot({ folder, expected: /^TLS handshake error/ });
}

describe('The connections of a Godot game', { skip: godot.skip }, () => {
  test('requests that come one after the other share a connection', async (t) => {
    const server = await startRawServer(t, (socket) => socket.write(EMPTY));
    const { page } = await startGame(t, server.url);
    for (let i = 0; i < 10; i++) assert.deepEqual(await page(), []);
    assert.deepEqual(server.counts, { connections: 1, requests: 10, most_open: 1 });
  });

  test('simultaneous requests share four connections', async (t) => {
    const server = await startRawServer(t, async (socket) => {
      await sleep(20);
      socket.write(EMPTY);
    });
    const { page } = await startGame(t, server.url);
    await Promise.all(Array.from({ length: 20 }, page));
    await page();
    const { connections, requests } = server.counts;
    assert.deepEqual({ connections, requests }, { connections: MAX_CONNECTIONS, requests: 21 });
  });

  test('a connection that the server has closed is replaced before the next request', async (t) => {
    const server = await startRawServer(t, (socket, number) =>
      socket.write(
        number < 3 ? EMPTY : 'HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n',
      ),
    );
    const { page, game } = await startGame(t, server.url);
    await page();
    server.closeAll();
    await sleep(50);
    await page();
    assert.equal(server.counts.connections, 2);
    // A deletion is never sent again, so it succeeds only if the connection was replaced before.
    server.closeAll();
    await sleep(50);
    await game.call('saves.delete');
    const { connections, requests } = server.counts;
    assert.deepEqual({ connections, requests }, { connections: 3, requests: 3 });
  });

  test('a connection is not used again after an answer with `Connection: close`', async (t) => {
    const last = reply('{"entries":[]}', '200 OK', ['Connection: close']);
    const server = await startRawServer(t, (socket) => socket.write(last));
    const { page } = await startGame(t, server.url);
    await page();
    await page();
    assert.equal(server.counts.connections, 2);
  });

  for (const [name, half] of [
    ['within its length', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"entries":[]}'],
    ['between two chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'],
    ['within its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ] as const) {
    test(`an answer that breaks off ${name} counts as no answer`, async (t) => {
      const server = await startRawServer(t, (socket, number) => {
        if (number === 1) socket.end(half);
        else socket.write(EMPTY);
      });
      const { page, game } = await startGame(t, server.url);
      // The deletion is not repeated, because it is unknown whether it was done.
      await assert.rejects(game.call('saves.delete'), { code: 'network' });
      assert.deepEqual(await page(), []);
      assert.equal(server.counts.requests, 2);
    });
  }

  test('an answer in many parts is put together', async (t) => {
    const text = '{"entries":[{"rank":1,"player_id":"ü","score":2}]}';
    const bytes = Buffer.from(text);
    const server = await startRawServer(t, async (socket, number) => {
      const isChunked = number === 1;
      const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
      socket.write(`HTTP/1.1 200 OK\r\n${framing}\r\n\r\n`);
      for (const byte of bytes) {
        const part = Buffer.from([byte]);
        socket.write(
          isChunked ? Buffer.concat([Buffer.from('1\r\n'), part, Buffer.from('\r\n')]) : part,
        );
        await sleep(1);
      }
      if (isChunked) socket.write('0\r\n\r\n');
    });
    const { page } = await startGame(t, server.url);
    const entries = [{ rank: 1, player_id: 'ü', score: 2 }];
    assert.deepEqual([await page(), await page()], [entries, entries]);
    assert.equal(server.counts.connections, 1);
  });

  test('an answer without a length ends when its connection is closed', async (t) => {
    const server = await startRawServer(t, (socket) => {
      socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"entries":[]}');
    });
    const { page } = await startGame(t, server.url);
    assert.deepEqual(await page(), []);
  });

  test('an answer that may have no body is complete at once, whatever its Content-Length', async (t) => {
    const server = await startRawServer(t, (socket) =>
      socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'),
    );
    const { game } = await startGame(t, server.url, 5);
    await game.call('saves.delete');
    await game.call('saves.delete');
    assert.equal(server.counts.requests, 2);
  });

  test('a late answer is not taken for the answer to the next request', async (t) => {
    const server = await startRawServer(t, async (socket, number) => {
      if (number === 1) await sleep(600);
      const entry = { rank: number, player_id: 'p', score: number };
      socket.write(reply(JSON.stringify({ entries: [entry] })));
    });
    const { game, page } = await startGame(t, server.url, 0.4);
    await assert.rejects(game.call('saves.delete'), { code: 'timeout' });
    await sleep(300);
    assert.deepEqual(await page(), [{ rank: 2, player_id: 'p', score: 2 }]);
    assert.equal(server.counts.connections, 2);
  });

  test('requests over TLS share a handshake, and a certificate of another host is refused', async (t) => {
    const own = await makeCertificate('localhost');
    const foreign = await makeCertificate('play.example.com');
    const trusting = await trust(t, [own.cert, foreign.cert]);
    const server = await startRawServer(t, (socket) => socket.write(EMPTY), own);
    const { page } = await startGame(t, server.url, 10, trusting);
    for (let i = 0; i < 3; i++) await page();
    assert.deepEqual(server.counts, { connections: 1, requests: 3, most_open: 1 });

    const wrong = await startRawServer(t, (socket) => socket.write(EMPTY), foreign);
    const { game } = await startGame(t, wrong.url, 10, trusting);
    await assert.rejects(game.call('saves.delete'), /network: .*TLS handshake with localhost/);
    assert.equal(wrong.counts.requests, 0);
  });

  test('the error says that a host has no address, or that a port accepts no connection', async (t) => {
    for (const [url, words] of [
      ['http://nowhere.invalid', /network: .*no host nowhere\.invalid/],
      ['http://127.0.0.1:1', /network: .*127\.0\.0\.1:1 accepts no connection/],
    ] as const) {
      const { game } = await startGame(t, url);
      await assert.rejects(game.call('saves.delete'), words);
    }
  });
});
