import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmission } from './admission.ts';

const IP = '192.0.2.1';
const NETWORK = IP;

/** Begins requests until one is refused; @returns the number that began. */
function fill(admission: ReturnType<typeof createAdmission>, ip = IP): number {
  let begun = 0;
  for (; admission.isOpenFor(ip); begun++) admission.begin(ip);
  return begun;
}

test('the limit of requests at work is the number that is answered in 0.2 s, but at least 1,100', () => {
  let now_ms = 0;
  const admission = createAdmission(() => now_ms);
  assert.equal(fill(admission), 1_100, 'a burst finds an idle server');

  // In each millisecond, ten requests are answered and ten begin.
  for (let number = 0; number < 1_280; number++) {
    if (number % 10 === 0) now_ms += 1;
    admission.end(NETWORK);
    admission.begin(IP);
  }
  const at_work = 1_100 + fill(admission);
  assert.ok(at_work > 1_900 && at_work < 2_200, `${at_work}`);

  // Every ten milliseconds, one request is answered.
  for (let number = 0; number < 128; number++) {
    now_ms += 10;
    admission.end(NETWORK);
  }
  assert.equal(admission.isOpenFor(IP), false);
  for (let left = at_work - 128; left > 1_099; left--) admission.end(left > 1_355 ? NETWORK : '');
  assert.equal(admission.isOpenFor(IP), true);
});

test('two networks have equally many places, and a third network still gets one', () => {
  let now_ms = 0;
  const admission = createAdmission(() => (now_ms += 100));
  for (let number = 0; number < 256; number++) assert.equal(admission.begin(IP), '');
  const first = fill(admission, IP);
  assert.equal(first, 844, 'alone it may have all');
  assert.equal(admission.isOpenFor('192.0.2.2'), false);
  for (let number = 0; number < 600; number++) admission.end(NETWORK);
  const second = fill(admission, '192.0.2.2');
  assert.equal(second, 413);
  assert.equal(fill(admission, IP), 169, 'each of two has as many');
  for (const newcomer of ['192.0.2.3', '2001:db8::1']) {
    assert.equal(admission.isOpenFor(newcomer), true);
  }
});

test('even among a thousand networks, each has 64 places', () => {
  let now_ms = 0;
  const admission = createAdmission(() => (now_ms += 100));
  for (let number = 0; number < 1_000; number++) {
    admission.begin(`192.0.${number >> 8}.${number & 255}`);
  }
  assert.equal(fill(admission, '198.51.100.1'), 64);
});
