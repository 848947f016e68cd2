import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { createGroupBatcher } from './batcher.ts';

/** Stands in for the databases of two groups of games. Games whose id begins with `a` are in the first. */
const groups = ['a', 'b'].map(
  (name) => ({ name, formFor: ({ plain }: { plain: unknown }) => plain }) as unknown as Database,
);
const database = {
  groups,
  groupOf: (game_id: string) => (game_id.startsWith('a') ? 0 : 1),
} as unknown as GroupedDatabase;

interface Flush {
  group: Database;
  requests: string[];
  end: () => void;
}

/** Makes a batcher. Each request is just the name of its game, and a flush lasts until the test ends it. */
function makeBatcher(max_queue_length: number) {
  const flushes: Flush[] = [];
  const batcher = createGroupBatcher<string, string>(database, {
    name: 'test',
    max_batch_size: 10,
    max_queue_length,
    gameOf: (request) => request,
    async flush(group, requests) {
      const { promise, resolve } = Promise.withResolvers<void>();
      flushes.push({ group, requests, end: resolve });
      await promise;
      return requests;
    },
  });
  return { batcher, flushes };
}

test('the requests of each group are flushed together, and no group waits for another', async () => {
  const { batcher, flushes } = makeBatcher(10);
  const answers = ['a1', 'b1', 'a2', 'b2', 'a3'].map((game) => batcher.submit(game));
  flushes[1]!.end();
  await setImmediate();
  assert.deepEqual(
    flushes.map(({ group, requests }) => [groups.indexOf(group), ...requests]),
    [
      [0, 'a1'],
      [1, 'b1'],
      [1, 'b2'],
    ],
  );
  flushes[0]!.end();
  flushes[2]!.end();
  await setImmediate();
  assert.deepEqual(flushes[3]!.requests, ['a2', 'a3']);
  flushes[3]!.end();
  assert.deepEqual(await Promise.all(answers), ['a1', 'b1', 'a2', 'b2', 'a3']);
  await batcher.close();
});

test('the limit of the queue applies to all groups together', async () => {
  const { batcher, flushes } = makeBatcher(2);
  const answers = ['a1', 'b1', 'a2', 'b2'].map((game) => batcher.submit(game));
  await assert.rejects(batcher.submit('b3'), /overloaded/);
  flushes[0]!.end();
  await setImmediate();
  answers.push(batcher.submit('b3'));
  flushes.forEach(({ end }) => end());
  await setImmediate();
  flushes.forEach(({ end }) => end());
  assert.deepEqual(await Promise.all(answers), ['a1', 'b1', 'a2', 'b2', 'b3']);
});
