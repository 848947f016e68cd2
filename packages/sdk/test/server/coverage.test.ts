import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { takesKey, takesServerKey } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { OverworldServer } from '../../src/server/server.ts';

/** Operations by which a player proves who it is. A server vouches for players instead. */
const OF_GAMES_ALONE = [
  'createMoveCode',
  'linkPlayerLogin',
  'logInPlayer',
  'logOutPlayer',
  'movePlayer',
  'refreshPlayer',
  'unlinkPlayerLogin',
];

const isOf = (path: string, called: string) =>
  new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(called);

/** Answers every request with an empty object, and notes it. */
async function startRecorder() {
  const called: { method: string; path: string }[] = [];
  let in_flight = 0;
  let most_in_flight = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://recorder');
    called.push({ method: request.method!, path: pathname });
    most_in_flight = Math.max(most_in_flight, ++in_flight);
    setTimeout(() => {
      in_flight--;
      response.setHeader('overworld-server', '1.0.0').end('{}');
    }, 2);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    mostInFlight: () => most_in_flight,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('the client has every operation that a server key may call', async () => {
  await using recorder = await startRecorder();
  const overworld = new OverworldServer({ baseUrl: recorder.url, apiKey: 'ow_srv_x' });
  const player = overworld.player('ann');
  await overworld.verifyPlayer('a.b.c');
  await overworld.track([{ event_name: 'e', session_id: 's' }]);
  await overworld.achievements.list();
  await overworld.leaderboards.page('arena');
  await overworld.leaderboards.players('arena', ['ann']);
  await overworld.config();
  await player.get();
  await player.timeline();
  await player.identify({});
  await player.tags.add('a');
  await player.tags.remove('a');
  await player.saves.load();
  await player.saves.save({});
  await player.saves.delete();
  await player.saves.list();
  await player.achievements.unlock('a');
  await player.achievements.list();
  await player.messages.list();
  await player.messages.read('m');
  await player.messages.claim('m');
  await player.messages.delete('m');
  await overworld.messages.send({ to: { type: 'everyone' }, title: 'Hi' });
  await overworld.messages.recall('m');
  await player.stats.change({ wins: 1 });
  await player.stats.list();
  await player.leaderboards.submit('arena', 1);
  await player.leaderboards.around('arena');
  await player.config();
  await player.merge('bob');
  await player.merges();
  await player.export();
  await player.erase();
  const missing = OPERATIONS.filter(
    (operation) =>
      (takesKey(operation) || takesServerKey(operation)) &&
      !recorder.called.some(
        ({ method, path }) => method === operation.method && isOf(operation.path, path),
      ),
  );
  assert.deepEqual(missing.map(({ id }) => id).toSorted(), OF_GAMES_ALONE);
});

test('at most 32 requests of a client are in flight', async () => {
  await using recorder = await startRecorder();
  const overworld = new OverworldServer({ baseUrl: recorder.url, apiKey: 'ow_srv_x' });
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      overworld.player(`p-${index}`).leaderboards.submit('arena', index),
    ),
  );
  assert.equal(recorder.called.length, 200);
  assert.ok(recorder.mostInFlight() <= 32);
});
