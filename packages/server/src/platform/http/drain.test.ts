import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../../../test/wait-until.ts';
import { createDrain } from './drain.ts';
import { get, startSlowServer } from './test/slow-server.ts';

test('when a stop is announced or has begun, each answer closes its connection', async () => {
  const server = await startSlowServer();
  const drain = createDrain(server.http);
  await server.listen();
  const early = server.open(get('fast-early'));
  const begun_before = [server.open(get('first')), server.open(get('second'))];
  await server.begins('fast-early', 'first', 'second');
  await drain.run(0);
  await server.answer('first');
  await begun_before[0]!.closed;
  const closed = server.close();
  await server.answer('second');
  await begun_before[1]!.closed;
  await closed;
  await early.closed;
  assert.doesNotMatch(early.said, /^connection: close/im);
  for (const { said } of begun_before) assert.match(said, /^connection: close/im);
});

test('a request under way at a stop is answered, and then its connection closes', async () => {
  const server = await startSlowServer();
  const drain = createDrain(server.http);
  await server.listen();
  const client = server.open(get('slow'));
  await server.begins('slow');
  const closed = server.close();
  await waitUntil('the stop has begun', async () => drain.begun);
  await server.answer('slow');
  await Promise.all([closed, client.closed]);
  assert.match(client.said, /^connection: close/im);
  assert.match(client.said, /answer to slow$/);
});

test('a request that arrives on an idle connection just as a stop begins is answered', async () => {
  const server = await startSlowServer();
  createDrain(server.http);
  await server.listen();
  const client = server.open(get('fast-1'));
  await waitUntil('the first is answered', async () => client.said.endsWith('fast-1'));
  await new Promise((resolve) => client.socket.write(get('fast-2'), resolve));
  await Promise.all([server.close(), client.closed]);
  const last = client.said.slice(client.said.indexOf('fast-1') + 'fast-1'.length);
  assert.match(last, /^HTTP\/1\.1 (200|503) /);
  assert.match(last, /^connection: close/im);
});
