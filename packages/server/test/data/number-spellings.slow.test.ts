import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { countCases } from '../long-forms.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { anySpellings } from './spelled-numbers.ts';
import { checkSpellings } from './spelling-checks.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** Numbers that differ only in their last digit, and spellings of zero and of powers of ten. */
const CLOSE_NUMBERS = [
  ['0', '-0', '-0.0', '0e5'],
  ['1e2', '100', '1.0e+2'],
  ['0.1', '1e-1', '0.10'],
  ['0.10000000000000001', '1.0000000000000001e-1'],
  ['9007199254740993', '9007199254740993.0', '9.007199254740993e15'],
  ['9007199254740992', '9007199254740992.0000000000000000000000000001'],
];

test('every report has one group for each of numbers that are close', () =>
  checkSpellings(server, CLOSE_NUMBERS));

test('every report has one group for random numbers in all their spellings', async () => {
  const numbers = fc.uniqueArray(anySpellings(3), { minLength: 2, maxLength: 4 });
  const check = (spelled: string[][]) => checkSpellings(server, [['3', '3.0', '3e0'], ...spelled]);
  // A smaller example would take minutes to find, because each one takes seconds.
  await fc.assert(fc.asyncProperty(numbers, check), { numRuns: countCases(5), endOnFailure: true });
});
