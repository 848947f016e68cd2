import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawTable, writeBytes } from './table.ts';

test('sizes are written with a unit and few digits, and an unknown size as a question mark', () => {
  const sizes = [0, 999, 1_000, 9_949, 9_950, 999_499, 999_500, 5e12, 5e15, null];
  assert.deepEqual(sizes.map(writeBytes), [
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '9.9 kB',
    '10 kB',
    '999 kB',
    '1.0 MB',
    '5.0 TB',
    '5000 TB',
    '?',
  ]);
});

test('columns of numbers and sizes are aligned to the right, and other columns to the left', () => {
  const rows = [
    ['10.0.0.2:5432', '7', '1.0 kB'],
    ['b:1', '1,024', '?'],
  ];
  assert.equal(
    drawTable(['Node', 'Games', 'Size'], rows),
    [
      'Node           Games    Size',
      '10.0.0.2:5432      7  1.0 kB',
      'b:1            1,024       ?',
    ].join('\n'),
  );
  assert.equal(drawTable(['Node', 'Size'], []), 'Node  Size');
});
