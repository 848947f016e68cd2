import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv } from '@overworld/contract/csv';
import fc from 'fast-check';
import { Download } from '../http/download.ts';
import { answerReport } from './csv-report.ts';
import { countCases } from '../../../test/long-forms.ts';

test('cells with commas, quotes and line ends are quoted, and null is empty', () => {
  const rows = [['a,b', 'say "hi"', 'two\nlines', null, 1.5, true, ' plain ']];
  assert.equal(
    writeCsv({ columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], rows }),
    'a,b,c,d,e,f,g\r\n"a,b","say ""hi""","two\nlines",,1.5,true, plain \r\n',
  );
});

test('texts that a spreadsheet would run as formulas get an apostrophe, and numbers stay numbers', () => {
  const rows = [
    ['=1+1', '-1+1|cmd', '@x', '\tx', '  =HYPERLINK("x")', '＝cmd()', '"=1', '\u200B+1'],
    ['a;=1', 'b\t"+1', 'c; -1', 'd\n@x'],
    [-1, 'a=1', '1-1', '', 0, 'x@y', "it's", 'a;b'],
  ];
  assert.equal(
    writeCsv({ columns: ['c'], rows }),
    'c\r\n' +
      `'=1+1,'-1+1|cmd,'@x,'\tx,"'  =HYPERLINK(""x"")",'＝cmd(),"'""=1",'\u200B+1\r\n` +
      `a;'=1,"b\t'""+1",c;' -1,"d\n'@x"\r\n` +
      `-1,a=1,1-1,,0,x@y,it's,a;b\r\n`,
  );
});

/** Random texts of those characters that are special for CSV or for spreadsheets. */
const hostileText = fc
  .array(fc.constantFrom(...'=+-@＝－;,|\t\r\n \u00A0\uFEFF"\'a1('), { maxLength: 12 })
  .map((parts) => parts.join(''));
const anyRows = fc.array(fc.array(fc.oneof(hostileText, fc.string()), { minLength: 1 }));

test('no cell starts like a formula, even if semicolons or tabs separate cells', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const csv = writeCsv({ columns: ['c'], rows });
      const cells = [...readCsv(csv).flat(), ...csv.split(/[;\t\r\n]/)];
      for (const cell of cells) assert.doesNotMatch(cell, /^[\s\p{C}"]*[=+\-@＝＋－＠]/u);
    }),
    { numRuns: countCases(2_000) },
  );
});

test('a file that is read back has the same numbers, and the same texts except for apostrophes', () => {
  const anyCell = fc.oneof(hostileText, fc.string(), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(fc.array(anyCell, { minLength: 1 })), (rows) => {
      const [, ...read] = readCsv(writeCsv({ columns: ['c'], rows }));
      const bare = (text: string) => text.replaceAll("'", '');
      const texts = rows.map((row) => row.map((cell) => bare(String(cell))));
      assert.deepEqual(
        read.map((row) => row.map(bare)),
        texts,
      );
    }),
    { numRuns: countCases(2_000) },
  );
});

/** Reads CSV by RFC 4180, character by character. */
function readCsv(csv: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)!.push(cell);
    cell = '';
  };
  for (let at = 0; at < csv.length; at++) {
    const character = csv[at]!;
    if (character === '"' && isQuoted && csv[at + 1] === '"') cell += csv[at++]!;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) endCell();
    else if (csv.startsWith('\r\n', at) && !isQuoted) {
      endCell();
      rows.push([]);
      at++;
    } else cell += character;
  }
  return rows.slice(0, -1);
}

test('the time for a text that is made to be slow grows no faster than the size of the text', () => {
  // Some of this white space is also a control or format character, so a pattern may match it in two ways.
  for (const part of [' ', '\v', '\uFEFF', '"', ';', '; ']) {
    // The shortest CPU time of three runs counts: other work on the machine has disturbed this run least.
    const timeOnce = (length: number) => {
      const started = process.cpuUsage();
      writeCsv({ columns: [part.repeat(length)], rows: [] });
      return process.cpuUsage(started).user / 1_000;
    };
    const time = (length: number) => Math.min(...[1, 2, 3].map(() => timeOnce(length)));
    const [short_ms, long_ms] = [time(100_000), time(1_000_000)];
    const words = `${JSON.stringify(part)}: ${short_ms} and ${long_ms} ms`;
    assert.ok(long_ms < 60 * Math.max(short_ms, 20), words);
  }
});

test('a report is JSON, or a file if the query requests CSV', () => {
  const table = () => ({ name: 'report', columns: ['n'], rows: [[1]] });
  const report = { n: 1 };
  assert.equal(answerReport({ format: 'json' }, report, table), report);
  const file = answerReport({ format: 'csv' }, report, table);
  assert.ok(file instanceof Download);
  assert.deepEqual(
    [file.content_type, file.file_name, file.content],
    ['text/csv; charset=utf-8', 'report.csv', 'n\r\n1\r\n'],
  );
});
