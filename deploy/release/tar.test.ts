import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { execute } from '../container/execute.ts';
import { writeTar } from './tar.ts';
import type { TarEntry } from './tar.ts';

const folder = await mkdtemp(join(tmpdir(), 'overworld-tar-'));
after(() => rm(folder, { recursive: true, force: true }));

const LONG = `${'folder/'.repeat(20)}${'name'.repeat(20)}`;
const from = join(folder, 'source');
writeFileSync(from, 'x'.repeat(513));
const entries: TarEntry[] = [
  { path: 'b', from, is_executable: false },
  { path: 'a/run', content: Buffer.from('#!/bin/sh\n'), is_executable: true },
  { path: 'a/link', link_to: '../b' },
  { path: LONG, content: Buffer.alloc(0), is_executable: false },
];
const pack = (packed: readonly TarEntry[]) => Buffer.concat([...writeTar(packed)]);

test('an archive has the files, modes and links, also those with long paths', () => {
  writeFileSync(join(folder, 'archive.tar'), pack(entries));
  const to = join(folder, 'unpacked');
  execute('sh', ['-c', `umask 022; mkdir '${to}' && tar xf '${folder}/archive.tar' -C '${to}'`]);
  assert.equal(readFileSync(join(to, 'b'), 'utf8'), 'x'.repeat(513));
  assert.equal(readFileSync(join(to, LONG), 'utf8'), '');
  assert.equal(readlinkSync(join(to, 'a/link')), '../b');
  assert.equal(lstatSync(join(to, 'a/run')).mode & 0o777, 0o755);
  assert.equal(lstatSync(join(to, 'b')).mode & 0o777, 0o644);
  assert.equal(lstatSync(join(to, 'b')).mtime.toISOString(), '1985-10-26T08:15:00.000Z');
});

test('the order of entries, and times and permissions of files change nothing', () => {
  const before = pack(entries);
  utimesSync(from, 1, 1);
  chmodSync(from, 0o600);
  assert.ok(pack(entries.toReversed()).equals(before));
});

test('a path or link that the format cannot hold is refused', () => {
  assert.throws(() => pack([{ path: 'a'.repeat(101), link_to: 'b' }]), /too long for an archive/);
  assert.throws(() => pack([{ path: 'a', link_to: 'b'.repeat(101) }]), /links too far/);
});
