import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { runCompiler } from './csharp.ts';

const root = fileURLToPath(new URL('../unity/', import.meta.url));

const IMPORTERS: { [extension: string]: string } = {
  '.cs': 'MonoImporter',
  '.asmdef': 'AssemblyDefinitionImporter',
  '.json': 'PackageManifestImporter',
  '.md': 'TextScriptImporter',
  '.jslib': 'PluginImporter',
};

/** Settings of the plugin for games in a browser. They make Unity leave the plugin out of other builds. */
const WEB_ONLY = [
  '  serializedVersion: 2',
  '  platformData:',
  '  - first:',
  '      Any: ',
  '    second:',
  '      enabled: 0',
  '      settings: {}',
  '  - first:',
  '      WebGL: WebGL',
  '    second:',
  '      enabled: 1',
  '      settings: {}',
];

/**
 * Writes the `.meta` of a file. Unity ignores files of a package that have no `.meta`, and refers to a file
 * by the guid in its `.meta`, so the guid must never change.
 */
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
    ...(importer === 'PluginImporter' ? WEB_ONLY : []),
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
    'UPDATE_META=1 npm test -- sdks/test/unity-package.slow.test.ts',
  );
});

test('the package names an existing folder for each sample', () => {
  const { samples } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  assert.equal(samples.length, globSync('Samples~/*/*.cs', { cwd: root }).length);
  for (const { path } of samples) assert.ok(statSync(root + path).isDirectory(), path);
  assert.match(readFileSync(`${root}Documentation~/overworld.md`, 'utf8'), /^# Overworld\n/);
});

test("files that a game in a browser has written are copied to the browser's storage", () => {
  const told: string[] = [];
  const library: { OverworldCopyFiles?: () => void } = {};
  const copies: boolean[] = [];
  runInNewContext(readFileSync(`${root}Runtime/Unity/Plugins/OverworldFiles.jslib`, 'utf8'), {
    LibraryManager: { library },
    mergeInto: Object.assign,
    console: { warn: (text: string) => told.push(text) },
    FS: {
      syncfs(isFromStorage: boolean, done: (error: Error | null) => void) {
        copies.push(isFromStorage);
        done(copies.length === 1 ? null : new Error('no room'));
      },
    },
  });
  library.OverworldCopyFiles!();
  assert.deepEqual([copies, told], [[false], []]);
  library.OverworldCopyFiles!();
  assert.deepEqual(told, ['[Overworld] Files were not stored: Error: no room']);
});

for (const [place, symbols] of [
  ['', []],
  [' in the browser', ['-define:UNITY_WEBGL']],
  [' on a dedicated server', ['-define:UNITY_SERVER']],
] as const) {
  test(
    `the engine layer and the settings page compile against declarations of Unity${place}`,
    { skip: process.env.HAS_MONO ? false : 'no Mono was found' },
    async () => {
      // A compiler replaces its output file. If root wrote to /dev/null, the compiler would replace
      // /dev/null itself.
      const folder = mkdtempSync(join(tmpdir(), 'overworld-unity-'));
      try {
        const library = ['-target:library', `-out:${join(folder, 'sdk.dll')}`];
        const patterns = ['Runtime/**/*.cs', 'Editor/*.cs', 'Test~/Declarations/*.cs'];
        await runCompiler([...symbols, ...library], patterns);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
}
