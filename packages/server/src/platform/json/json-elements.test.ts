import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findElements } from './json-elements.ts';

const elementsOf = (text: string) => {
  const bytes = Buffer.from(text);
  const found = findElements(bytes, 0, bytes.length);
  return found && [...found].map(([start, end]) => JSON.parse(bytes.toString('utf8', start, end)));
};

test('the elements of a list are found where JSON.parse finds them', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), (list, space) => {
      const text = JSON.stringify(list, null, space);
      assert.deepEqual(elementsOf(text), JSON.parse(text));
    }),
  );
});

test('brackets, commas and quotation marks in strings end no element', () => {
  const list = ['],[', '"', '\\', '\\"', '\\\\"],', { '],"': ['}'] }];
  assert.deepEqual(elementsOf(JSON.stringify(list)), list);
  assert.deepEqual(elementsOf(' [ ] '.trim()), []);
});

test('a value that is no list has no elements', () => {
  for (const text of ['{}', 'null', '"[1]"', '7']) assert.equal(elementsOf(text), null);
});
