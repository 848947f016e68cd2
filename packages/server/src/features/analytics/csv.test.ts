import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerReport, writeCsv } from './csv.ts';
import { Download } from '../../platform/http/implement.ts';

test('cells with commas, quotes and line ends are quoted, and null is empty', () => {
  const rows = [['a,b', 'say "hi"', 'two\nlines', null, 1.5, true, ' plain ']];
  assert.equal(
    writeCsv({ columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], rows }),
    'a,b,c,d,e,f,g\r\n"a,b","say ""hi""","two\nlines",,1.5,true, plain \r\n',
  );
});

test('texts that a spreadsheet would run get an apostrophe, numbers stay numbers', () => {
  const rows = [
    ['=1+1', '+1', '-1', '@x', '\tx', '  =HYPERLINK("x")', '＝1'],
    [-1, 'a=1', '1-1', '', 0, 'x@y', "it's"],
  ];
  assert.equal(
    writeCsv({ columns: ['c'], rows }),
    'c\r\n' +
      `'=1+1,'+1,'-1,'@x,'\tx,"'  =HYPERLINK(""x"")",'＝1\r\n` +
      `-1,a=1,1-1,,0,x@y,it's\r\n`,
  );
});

test('a report is itself, or a file where the query asks for CSV', () => {
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
