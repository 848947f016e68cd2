import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from './admission.ts';

/** Begins as many as are let in; @returns how many. */
function fill(admission: ReturnType<typeof createAdmission>): number {
  let begun = 0;
  for (; admission.is_open; begun++) admission.begin();
  return begun;
}

test('as many requests are at work as are answered in 0.2 s, and never less than 1,100', () => {
  let now_ms = 0;
  const admission = createAdmission(() => now_ms);
  assert.equal(fill(admission), 1_100, 'a burst finds an idle server');

  // Ten are answered in a millisecond, and as many begin.
  for (let number = 0; number < 1_280; number++) {
    if (number % 10 === 0) now_ms += 1;
    admission.end();
    admission.begin();
  }
  const at_work = 1_100 + fill(admission);
  assert.ok(at_work > 1_900 && at_work < 2_200, `${at_work}`);

  // One is answered in ten.
  for (let number = 0; number < 128; number++) {
    now_ms += 10;
    admission.end();
  }
  assert.equal(admission.is_open, false);
  for (let left = at_work - 128; left > 1_099; left--) admission.end();
  assert.equal(admission.is_open, true);
});
