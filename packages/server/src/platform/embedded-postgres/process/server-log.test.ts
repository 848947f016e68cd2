import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openServerLog } from './server-log.ts';

const folder = await mkdtemp(join(tmpdir(), 'overworld-log-'));
after(() => rm(folder, { recursive: true }));

test('the content of a too large log is moved away, and open descriptors write to the empty log', () => {
  const path = join(folder, 'large.log');
  writeFileSync(path, 'x'.repeat(10 * 1024 * 1024 + 1));
  const log = openServerLog(path);
  writeFileSync(log.descriptor, 'after\n');
  log.close();
  assert.equal(readFileSync(path, 'utf8'), 'after\n');
  assert.equal(statSync(`${path}.1`).size, 10 * 1024 * 1024 + 1);
});

test('a log that is too large is emptied even if its content cannot be copied', () => {
  const path = join(folder, 'stuck.log');
  writeFileSync(path, 'x'.repeat(10 * 1024 * 1024 + 1));
  mkdirSync(`${path}.1`);
  openServerLog(path).close();
  assert.equal(statSync(path).size, 0);
});

test('old fatal reasons are ignored, and a reason from the postmaster comes before other reasons', () => {
  const path = join(folder, 'reasons.log');
  writeFileSync(path, '2026-01-01 00:00:00 UTC [1] FATAL:  an old reason\n');
  const log = openServerLog(path);
  assert.equal(log.readFatalReason(2), null);
  appendFileSync(path, '2026-01-01 00:00:01 UTC [2] FATAL:  a first\n');
  appendFileSync(path, '2026-01-01 00:00:01 UTC [2] PANIC:  its last\nHINT:  more\n');
  appendFileSync(path, '2026-01-01 00:00:01 UTC [3] FATAL:  of a session\n');
  assert.equal(log.readFatalReason(2), 'its last');
  assert.equal(log.readFatalReason(4), 'of a session');
  appendFileSync(path, 'FATAL:  of a setting\n');
  assert.equal(log.readFatalReason(4), 'of a setting');
  log.close();
});
