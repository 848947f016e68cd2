import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadiness } from './readiness.ts';

test('a thousand concurrent requests, and others soon after, share one database answer', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let asked = 0;
  const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const ask = createReadiness({ execute: () => answers[asked++]!.promise });
  const waiting = Array.from({ length: 1_000 }, ask);
  answers[0]!.reject(new Error('away'));
  for (const answer of await Promise.allSettled(waiting)) assert.equal(answer.status, 'rejected');
  context.mock.timers.tick(249);
  await assert.rejects(ask(), /away/);
  assert.equal(asked, 1);
  answers[1]!.resolve(1);
  context.mock.timers.tick(1);
  await ask();
  assert.equal(asked, 2);
});
