import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCompiler } from './csharp.ts';

const root = fileURLToPath(new URL('../unity/', import.meta.url));

const IMPORTERS: { [extension: string]: string } = {
  '.cs': 'MonoImporter',
  '.asmdef': 'AssemblyDefinitionImporter',
  '.json': 'PackageManifestImporter',
  '.md': 'TextScriptImporter',
};

/** Unity ignores files of a package without a `.meta`, and refers to a file by its guid for ever. */
function writeMeta(path: string): string {
  const guid = createHash('md5').update(`com.overworld.sdk/${path}`).digest('hex');
  const isFolder = statSync(root + path).isDirectory();
  const importer = isFolder ? 'DefaultImporter' : (IMPORTERS[extname(path)] ?? 'DefaultImporter');
  return [
    'fileFormatVersion: 2',
    `guid: ${guid}`,
    ...(isFolder ? ['folderAsset: yes'] : []),
    `${importer}:`,
    '  externalObjects: {}',
    '  userData: ',
    '  assetBundleName: ',
    '  assetBundleVariant: ',
    '',
  ].join('\n');
}

test('each file of the Unity package has a .meta, and each .meta has a file', () => {
  // Unity ignores folders whose names end in ~.
  const paths = globSync('**/*', { cwd: root, exclude: (path) => path.endsWith('~') });
  const assets = paths.filter((path) => !path.endsWith('.meta')).sort();
  const expected = assets.map((path) => ({ path: `${path}.meta`, text: writeMeta(path) }));
  if (process.env.UPDATE_META) {
    for (const { path, text } of expected) writeFileSync(root + path, text);
  }
  const metas = globSync('**/*.meta', { cwd: root }).sort();
  const found = metas.map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  assert.deepEqual(
    found,
    expected.sort(byPath),
    'UPDATE_META=1 npm test -- sdks/test/unity-package.test.ts',
  );
});

test(
  'the engine layer compiles against declarations of Unity',
  { skip: process.env.HAS_MONO ? false : 'no Mono was found' },
  async () => {
    // A compiler replaces its output file. For root it would replace /dev/null itself.
    const folder = mkdtempSync(join(tmpdir(), 'overworld-unity-'));
    try {
      const library = ['-target:library', `-out:${join(folder, 'sdk.dll')}`];
      await runCompiler(library, ['Runtime/**/*.cs', 'Test~/Declarations/*.cs']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
