import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptAnswers } from './kept-answers.ts';

/** Makes a cache of answers whose clock the test moves. */
function makeAnswers(max_bytes?: number) {
  let now_ms = 0;
  let made = 0;
  const answers = createKeptAnswers(() => now_ms, max_bytes);
  return {
    get: (key: string, takes_ms = 0) =>
      answers.get(key, async () => {
        now_ms += takes_ms;
        return `${key} ${++made}`;
      }),
    fail: (key: string) => answers.get(key, () => Promise.reject(new Error(`${++made}`))),
    pass: (ms: number) => void (now_ms += ms),
  };
}

test('an answer is cached for a minute, and then made again', async () => {
  const answers = makeAnswers();
  assert.equal(await answers.get('a'), 'a 1');
  answers.pass(59_999);
  assert.equal(await answers.get('a'), 'a 1');
  assert.equal(await answers.get('b'), 'b 2');
  answers.pass(1);
  assert.equal(await answers.get('a'), 'a 3');
});

test('an answer that took long is cached for twenty times as long as it took', async () => {
  const answers = makeAnswers();
  await answers.get('a', 10_000);
  answers.pass(199_000);
  assert.equal(await answers.get('a'), 'a 1');
  answers.pass(1_000);
  assert.equal(await answers.get('a'), 'a 2');
});

test('simultaneous callers share an answer that is being made', async () => {
  const answers = makeAnswers();
  assert.deepEqual(await Promise.all([answers.get('a'), answers.get('a')]), ['a 1', 'a 1']);
});

test('a failure is cached for a minute, so callers cannot repeat the work again and again', async () => {
  const answers = makeAnswers();
  await assert.rejects(answers.fail('a'), /1/);
  answers.pass(30_000);
  await assert.rejects(answers.get('a'), /1/);
  answers.pass(30_000);
  assert.equal(await answers.get('a'), 'a 2');
});

test('the oldest answers are dropped when all answers together are too large', async () => {
  const answers = makeAnswers(14);
  for (const key of ['a', 'b', 'c', 'd']) await answers.get(key);
  assert.equal(await answers.get('d'), 'd 4');
  assert.equal(await answers.get('a'), 'a 5');
});
