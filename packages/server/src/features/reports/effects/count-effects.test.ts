import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { makeSoleWorkerPool } from '../../../platform/workers/worker-pool.ts';
import { createExplorer } from '../thread/explorer.ts';
import type { Explorer } from '../thread/explorer.ts';

let server: TestServer;
let explorer: Explorer;
before(async () => {
  server = await startTestServer();
  explorer = createExplorer(
    { url: server.database_url },
    {
      workerPool: makeSoleWorkerPool({ max_connections: 1 }),
      group_count: server.database.groups.length,
    },
  );
});
after(async () => {
  await explorer.close();
  await server.close();
});

async function countIn(ms: number, ways: string[], signal = new AbortController().signal) {
  const { game_id } = await server.makeGame();
  const questions = ways.map((way) => ({
    module: new URL('./test/sample-question.ts', import.meta.url).href,
    input: { way },
    uncounted: { about: 'events' as const, environment: null, part: null, words: 'the events' },
  }));
  const input = { game_id, until_ms: Date.now() + ms, questions };
  const answers = await explorer.report('effects', input, { owner: ['n', 'a', 'g'], signal });
  return answers.map((answer) => answer?.map(({ words }) => words) ?? null);
}

test('when the time ends, the questions that are answered stay answered', async () => {
  await countIn(60_000, ['count']);
  assert.deepEqual(await countIn(2_000, ['count', 'stop', 'count']), [['count'], null, null]);
  assert.deepEqual(await countIn(2_000, ['count', 'stop with a part', 'count']), [
    ['count'],
    ['stop with a part'],
    null,
  ]);
  assert.deepEqual(await countIn(-1, ['count']), [null]);
});

test('a question that cannot be answered says why, and the others are answered', async () => {
  assert.deepEqual(await countIn(60_000, ['refuse', 'count']), [
    ['It was not possible to count the events: there are too many.'],
    ['count'],
  ]);
});

test('the counting stops when the caller hangs up', async () => {
  const leaving = new AbortController();
  const counting = countIn(60_000, ['stop'], leaving.signal);
  setTimeout(() => leaving.abort(), 200);
  await assert.rejects(counting);
  assert.deepEqual(await countIn(60_000, ['count']), [['count']]);
});
