import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('docs/operations.md');

test('every message that the documentation quotes is in the code of the server', () => {
  const sources = globSync(
    [
      'packages/{server,contract}/src/**/*.ts',
      'packages/server/bin/*',
      'packages/server/migrations/*.sql',
    ],
    { cwd: root },
  );
  const code = sources.map(read).join('\n');
  const table = guide.split('| Message |')[1]!;
  const rows = [...table.matchAll(/^\| (`.*?) \| .+ \|$/gm)];
  assert.ok(rows.length > 10);
  for (const [, cell] of rows) {
    for (const [, sentence] of cell!.matchAll(/`([^`]+)`/g)) {
      assert.ok(code.includes(sentence!), `nowhere in the code: ${sentence}`);
    }
  }
});

/** Returns the anchors of a text's headings, in the form in which links name them. */
const anchorsOf = (text: string) =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );

test('the documentation explains each alert, and none of its links is broken', () => {
  for (const [, alert] of read('deploy/prometheus-alerts.yaml').matchAll(/alert: (\w+)/g)) {
    assert.ok(guide.includes(`\`${alert}\``), alert);
  }
  for (const [, target] of guide.matchAll(/\]\(([^)]+)\)/g)) {
    const [path = '', anchor] = target!.split('#');
    const files = path === '' ? [] : globSync(join('docs', path), { cwd: root });
    assert.equal(files.length, path === '' ? 0 : 1, target);
    if (anchor === undefined) continue;
    assert.ok(anchorsOf(files.length === 0 ? guide : read(files[0]!)).has(anchor), target);
  }
});
