import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import { checkArchive } from './archive/check-archive.ts';
import { nameBackup } from './backup-names.ts';
import { makeBackup } from './make-backup.ts';
import { openFolderStore } from '../../platform/stores/folder-store.ts';

let server: TestServer;
let folder: string;
before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'overworld-backups-'));
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const backUp = (place: string, keep = 3) =>
  makeBackup(server.database, openFolderStore(place), { keep });
const makeFolder = () => mkdtemp(join(folder, 'place-'));
const check = (path: string) => checkArchive(path, createReadStream(path));

test('the number of a backup grows even if the clock was set back, and the highest number is newest', async () => {
  const place = await makeFolder();
  const { name, rows, bytes } = await backUp(place);
  const found = await check(join(place, name));
  assert.deepEqual([found.rows, found.bytes], [rows, bytes]);
  const [, id] = name.split('-');
  const future = `overworld-${id}-000007-2099-01-01T000000Z.ndjson.gz`;
  await writeFile(join(place, future), '');
  const next = await backUp(place, 2);
  assert.match(next.name, /-000008-20[2-8]\d-/);
  assert.deepEqual(next.removed, []);
  assert.deepEqual((await readdir(place)).toSorted(), [name, future, next.name]);
});

test('a file that was not read back pushes out no backup, and is removed when it is the oldest', async () => {
  const place = await makeFolder();
  const first = await backUp(place, 2);
  const [, id, number] = first.name.split('-');
  const unchecked = nameBackup(id!, Number(number) + 1, new Date());
  await writeFile(join(place, unchecked), '');
  const second = await backUp(place, 2);
  assert.deepEqual(second.removed, []);
  const third = await backUp(place, 2);
  assert.deepEqual(third.removed, [unchecked, first.name]);
  assert.deepEqual((await readdir(place)).toSorted(), [second.name, third.name]);
});

test('of two backups at once, one is refused and harms nothing', async () => {
  const place = await makeFolder();
  const results = await Promise.allSettled([backUp(place), backUp(place)]);
  const refused = results.filter((result) => result.status === 'rejected');
  assert.equal(refused.length, 1);
  assert.ok(refused[0]!.reason instanceof StoreError);
  assert.match(refused[0]!.reason.message, /^Another server or command makes a backup now/);
  const [name, ...rest] = await readdir(place);
  assert.deepEqual(rest, []);
  await check(join(place, name!));
});

test('the remains of a killed backup are removed before the next one, and those of others stay', async () => {
  const place = await makeFolder();
  const [, id] = (await backUp(place)).name.split('-');
  const own = `overworld-${id}-000009-2026-01-01T000000Z.ndjson.gz.unfinished`;
  const other = own.replace(id!, '0123456789ab');
  for (const name of [own, other]) await writeFile(join(place, name), 'half');
  await backUp(place);
  const names = await readdir(place);
  assert.ok(!names.includes(own) && names.includes(other));
});

test('backups hold no secrets, and the rows about backups are in none', async () => {
  const place = await makeFolder();
  const { name } = await backUp(place);
  const text = gunzipSync(await readFile(join(place, name))).toString();
  const { rows } = await server.database
    .connect()
    .then((client) =>
      client
        .query<{ name: string; value: string }>(
          `SELECT name, value FROM installation WHERE name ~ 'secret|key|backup'`,
        )
        .finally(() => client.release()),
    );
  assert.ok(rows.length >= 3, JSON.stringify(rows));
  for (const row of rows) assert.ok(!text.includes(row.value), row.name);
});

test('a place that cannot be used is named with the reason', async () => {
  const file = join(await makeFolder(), 'file');
  await writeFile(file, '');
  for (const [place, reason] of [
    [join(folder, 'missing'), 'there is no such folder'],
    [file, 'a file is in the way'],
    ['/sys', 'permission denied'],
  ] as const) {
    await assert.rejects(backUp(place), (error: Error) => {
      assert.ok(error instanceof StoreError, error.stack);
      assert.ok(error.message.includes(place) && error.message.includes(reason), error.message);
      return true;
    });
  }
});

test('a full disk leaves nothing behind, and older backups stay', async (t) => {
  const place = await makeFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]);
  if (mounted.status !== 0) return t.skip('no small disk can be mounted here');
  try {
    const good = await backUp(place);
    await writeFile(join(place, 'filler'), Buffer.alloc(64 * 1024)).catch(() => undefined);
    await assert.rejects(backUp(place), (error: Error) => {
      assert.ok(error instanceof StoreError, error.stack);
      assert.match(error.message, /^Cannot write to .+ \(the disk is full\)/);
      return true;
    });
    assert.deepEqual((await readdir(place)).toSorted(), ['filler', good.name]);
    await check(join(place, good.name));
  } finally {
    spawnSync('umount', [place]);
  }
});

test('an archive that is cut, changed or lengthened is found', async () => {
  const place = await makeFolder();
  const { name } = await backUp(place);
  const bytes = await readFile(join(place, name));
  const text = gunzipSync(bytes).toString();
  const lines = text.trimEnd().split('\n');
  const pack = (kept: string[]) => gzipSync(`${kept.join('\n')}\n`);
  const changed = Buffer.from(bytes);
  changed[bytes.length >> 1]! ^= 1;
  const row = lines.findIndex((line) => line.startsWith('['));
  const damaged: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'its first bytes': bytes.subarray(0, 5),
    'its first half': bytes.subarray(0, bytes.length >> 1),
    'all but its last byte': bytes.subarray(0, -1),
    'without its last line': pack(lines.slice(0, -1)),
    'without a row': pack(lines.toSpliced(row, 1)),
    'a row twice': pack(lines.toSpliced(row, 0, lines[row]!)),
    'a line after its last one': pack([...lines, lines[row]!]),
    'two archives': Buffer.concat([bytes, bytes]),
    'a changed bit': changed,
  };
  for (const [damage, content] of Object.entries(damaged)) {
    const path = join(place, 'damaged.ndjson.gz');
    await writeFile(path, content);
    await assert.rejects(check(path), (error: Error) => {
      assert.ok(error instanceof StoreError, `${damage}: ${error.stack}`);
      assert.match(error.message, /damaged|not complete|cannot be read|not an archive/, damage);
      return true;
    });
  }
});
