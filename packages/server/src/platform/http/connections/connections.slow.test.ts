import { Socket } from 'node:net';
import { test } from 'node:test';
import { queryObjects } from 'node:v8';
import { waitUntil } from '../../../../test/wait-until.ts';
import { get, startSlowServer } from '../test/slow-server.ts';

test('a connection is freed from memory once it is closed', async (context) => {
  const server = await startSlowServer();
  context.after(() => server.close());
  await server.listen();
  const count = () => queryObjects(Socket, { format: 'count' });
  const others = count();
  for (let i = 0; i < 10; i++) await server.say(get('fast', 'connection: close\r\n'));
  await waitUntil('all ten are forgotten', async () => count() <= others);
});
