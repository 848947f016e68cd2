import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createFolderChange } from './folder-change.ts';

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-change-'));
  t.after(() => rm(folder, { recursive: true }));
  return (name: string) => join(folder, name);
}

test('new texts, new folders and removals are made together', async (t) => {
  const at = await makeFolder(t);
  await writeFile(at('old'), 'before');
  await writeFile(at('gone'), '');
  await chmod(at('old'), 0o640);
  await symlink(at('old'), at('link'));
  const change = createFolderChange();
  change.write(at('link'), 'after', false);
  change.write(at('new/deep/file'), 'text', true);
  change.remove(at('gone'));
  await change.make();
  const names = await readdir(at('.'), { recursive: true });
  assert.deepEqual(names.toSorted(), ['link', 'new', 'new/deep', 'new/deep/file', 'old']);
  assert.equal(await readFile(at('old'), 'utf8'), 'after');
  assert.equal((await stat(at('old'))).mode & 0o777, 0o640);
});

test('a failure at any step takes back all steps before it', async (t) => {
  for (const break_it of [
    // The last file cannot be prepared, replaced or removed.
    (change: ReturnType<typeof createFolderChange>, at: (name: string) => string) =>
      change.write(at('missing'), '', false),
    (change: ReturnType<typeof createFolderChange>, at: (name: string) => string) =>
      change.write(at('folder'), '', false),
    (change: ReturnType<typeof createFolderChange>, at: (name: string) => string) =>
      change.remove(at('folder')),
    (change: ReturnType<typeof createFolderChange>, at: (name: string) => string) =>
      change.write(at('old'), '', true),
  ]) {
    const at = await makeFolder(t);
    await writeFile(at('old'), 'before');
    await writeFile(at('gone'), 'kept');
    await mkdir(at('folder'));
    const change = createFolderChange();
    change.write(at('old'), 'after', false);
    change.write(at('new/file'), 'text', true);
    change.remove(at('gone'));
    break_it(change, at);
    await assert.rejects(change.make(), /cannot be written|is in the way/);
    const names = await readdir(at('.'), { recursive: true });
    assert.deepEqual(names.toSorted(), ['folder', 'gone', 'old']);
    assert.equal(await readFile(at('old'), 'utf8'), 'before');
    assert.equal(await readFile(at('gone'), 'utf8'), 'kept');
  }
});
