import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const PACKAGES = join(import.meta.dirname, '../../..');
/** The last migration with folding that follows the locale of the database; `fold_text` came next. */
const LAST_WITH_LOCALE = '0062';

const listLines = (folder: string, isWanted: (path: string) => boolean) =>
  readdirSync(join(PACKAGES, folder), { recursive: true, encoding: 'utf8' })
    .filter(isWanted)
    .flatMap((path) =>
      readFileSync(join(PACKAGES, folder, path), 'utf8')
        .split('\n')
        .map((line) => `${folder}/${path}: ${line.trim()}`),
    );

const isSource = (path: string) => /(?<!\.test)\.tsx?$/.test(path) && path !== 'fold-text.ts';

test('SQL changes and compares capital letters by fold_text, or in the collation "C"', () => {
  const lines = [
    ...listLines('server/src', isSource),
    ...listLines('server/migrations', (path) => path.slice(0, 4) > LAST_WITH_LOCALE),
  ];
  assert.ok(lines.some((line) => line.includes('fold_text(')));
  const found = lines.filter(
    (line) => /\b(lower|upper|initcap)\(|\bILIKE\b| !?~\*/i.test(line) && !/COLLATE "C"/.test(line),
  );
  assert.deepEqual(found, []);
});

test('e-mail addresses are compared by foldText', () => {
  const found = ['contract/src', 'server/src', 'dashboard/src']
    .flatMap((folder) => listLines(folder, isSource))
    .filter((line) => /mail[\w?.()]*\.to(Locale)?(Lower|Upper)Case/.test(line));
  assert.deepEqual(found, []);
});
