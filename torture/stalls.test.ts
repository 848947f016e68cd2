import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackByStalls } from './stalls.ts';
import { createReport } from './suite.ts';

/** Some operations that read bodies in ways of their own, and one of those that do not. */
const OPERATIONS = ['trackEvents', 'putSave', 'identifyPlayer', 'logIn'];
const SHAPES =
  /^(events of )?(keys with an escape|empty lists|lone surrogates|large exponents)( in |$)/;

test('no body holds the server for more than three times what JSON.parse takes', async () => {
  const report = createReport(() => undefined);
  await attackByStalls(report, {
    repeats: 12,
    isChosen: ({ operation, name }) => OPERATIONS.includes(operation.id) && SHAPES.test(name),
  });
  assert.deepEqual(report.violations, []);
  assert.equal(report.figures.size, OPERATIONS.length + 1);
});
