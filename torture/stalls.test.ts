import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByStalls } from './stalls.ts';
import { createReport } from './suite.ts';

/** Operations that read their bodies by themselves, and `logIn`, whose body the platform reads. */
const OPERATIONS = ['trackEvents', 'putSave', 'identifyPlayer', 'logIn'];
const SHAPES =
  /^(events of )?(keys with an escape|empty lists|lone surrogates|large exponents)( in |$)/;

test('no body blocks the server for more than three times the time of JSON.parse', async () => {
  const report = createReport(() => undefined);
  await attackByStalls(report, {
    repeats: 12,
    isChosen: ({ operation, name }) => OPERATIONS.includes(operation.id) && SHAPES.test(name),
  });
  assert.deepEqual(report.violations, []);
  assert.equal(report.figures.size, OPERATIONS.length + 1);
});
