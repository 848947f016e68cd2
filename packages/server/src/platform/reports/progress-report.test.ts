import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import { Download } from '../http/download.ts';
import { answerWithProgress } from './progress-report.ts';

const linesOf = async (answer: unknown) => {
  assert.ok(answer instanceof Download && typeof answer.content !== 'string');
  let text = '';
  for await (const bytes of answer.content) text += bytes;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};

test('a report without progress is returned unchanged', async () => {
  const report = { n: 1 };
  assert.equal(await answerWithProgress('json', async () => report), report);
});

test('a report first says that it waits, then tells its progress and the time left, and ends with its answer', async () => {
  const answer = await answerWithProgress('progress', async (onShare) => {
    await wait(600);
    onShare!(0);
    await wait(100);
    onShare!(0.25);
    return { n: 1 };
  });
  const [waiting, begun, reading, report, ...rest] = await linesOf(answer);
  assert.deepEqual(waiting.progress, { state: 'waiting', share: 0, seconds_left: null });
  assert.deepEqual(begun.progress, { state: 'reading', share: 0, seconds_left: null });
  assert.deepEqual(reading.progress, { state: 'reading', share: 0.25, seconds_left: 1 });
  assert.deepEqual([report, ...rest], [{ report: { n: 1 } }]);
});

test('a failure before the first line of the answer is thrown, and a later failure is written as a line', async () => {
  const fail = async () => {
    throw unavailable('Too late');
  };
  await assert.rejects(answerWithProgress('progress', fail), /Too late/);
  const later = await answerWithProgress('progress', async (onShare) => {
    onShare!(0.5);
    return fail();
  });
  assert.ok(later instanceof Download);
  await assert.rejects(linesOf(later), /Too late/);
  assert.equal(
    later.writeFailure?.(503, { error: 'Too late' }),
    '{"status":503,"error":"Too late"}\n',
  );
});
