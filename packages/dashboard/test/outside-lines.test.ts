import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import {
  quoteForCode,
  quoteForShell,
  writeOutsideLines,
} from '../src/reports/outside/outside-lines.ts';

/** Parts of texts that break careless quoting, by themselves and beside each other. */
const PARTS = [
  "'",
  '"',
  '\\',
  '$',
  '$HOME',
  '${HOME}',
  '$(id)',
  '`id`',
  '\n',
  '\r',
  '\t',
  '#{1}',
  '%s',
  '\\u0041',
  '!',
  '&',
  ';',
  '|',
  '{a,b}',
  '[1-3]',
  '*',
  '?',
  '~',
  '<',
  '>',
  ' ',
  'é',
  '日本',
  '🏴‍☠️',
  '\u2028',
  '\u0001',
];

const HOSTILE = [
  ...PARTS,
  ...PARTS.flatMap((first, place) => [
    first + PARTS[(place * 7 + 3) % PARTS.length],
    PARTS[(place * 11 + 5) % PARTS.length] + first + PARTS[(place * 13 + 2) % PARTS.length],
  ]),
  PARTS.join(''),
];

const hexOf = (text: string) => Buffer.from(text).toString('hex');
const EXPECTED = HOSTILE.map(hexOf);
const isMissing = (program: string) =>
  spawnSync(program, ['--version']).status === 0 ? false : `${program} is not installed`;

test('a shell reads a quoted text as it was', () => {
  for (const shell of ['sh', 'bash']) {
    if (isMissing(shell) && shell !== 'sh') continue;
    const script = HOSTILE.map((text) => `printf '%s\\0' ${quoteForShell(text)}`).join('\n');
    const read = execFileSync(shell, ['-c', script], { encoding: 'utf8' });
    assert.deepEqual(read.split('\0').slice(0, -1), HOSTILE);
  }
});

test('JavaScript reads a quoted text as it was', () => {
  const script = `[${HOSTILE.map(quoteForCode).join(',')}].map((text) => Buffer.from(text).toString('hex'))`;
  const read = execFileSync(process.execPath, ['-p', `JSON.stringify(${script})`]);
  assert.deepEqual(JSON.parse(String(read)), EXPECTED);
});

test('Python reads a quoted text as it was', { skip: isMissing('python3') }, () => {
  const script = `for text in [${HOSTILE.map(quoteForCode).join(',')}]: print(text.encode("utf-8").hex())`;
  const read = execFileSync('python3', ['-c', script], { encoding: 'utf8' });
  assert.deepEqual(read.trim().split(/\s+/), EXPECTED);
});

test('R reads a quoted text as it was', { skip: isMissing('Rscript') }, () => {
  const script = `for (text in c(${HOSTILE.map(quoteForCode).join(',')})) cat(as.character(charToRaw(enc2utf8(text))), "\\n", sep = "")`;
  const read = execFileSync('Rscript', ['-'], {
    input: script,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  assert.deepEqual(read.trim().split(/\s+/), EXPECTED);
});

test('the lines have no token and are at most three; only tables ask for CSV', () => {
  const address = 'https://overworld.example/v1/report?environment=production';
  for (const isTable of [true, false]) {
    const { curl, ...others } = writeOutsideLines(address, isTable);
    assert.equal(curl.split('\n').length, 1);
    for (const code of [curl, ...Object.values(others)]) {
      assert.match(code, /OVERWORLD_TOKEN/);
      assert.doesNotMatch(code, /ow_pat_/);
      assert.ok(code.split('\n').length <= 3);
    }
    assert.equal(others.javascript.includes('format=csv'), false);
    for (const code of [curl, others.python, others.r]) {
      assert.equal(code.includes(`${address}&format=csv`), isTable);
    }
  }
});
