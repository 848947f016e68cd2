import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCompiler } from './csharp.ts';
import { listUsedMembers, readReferenceTable } from './unity-declarations.ts';

const root = fileURLToPath(new URL('../unity/', import.meta.url));

const IMPORTERS: { [extension: string]: string } = {
  '.cs': 'MonoImporter',
  '.asmdef': 'AssemblyDefinitionImporter',
  '.json': 'PackageManifestImporter',
  '.md': 'TextScriptImporter',
  '.xml': 'TextScriptImporter',
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

test('each member of Unity that the package uses is in the table, with its page and its check', () => {
  const table = readReferenceTable();
  assert.deepEqual([...table.keys()].sort(), listUsedMembers());
  for (const [member, { page, check }] of table) {
    assert.match(
      page,
      /^https:\/\/docs\.unity3d\.com\/2021\.3\/Documentation\/ScriptReference\/.+\.html$/,
    );
    // Such as "source 2020.1.0a19, 6000.5.0a5; page 2021.3".
    assert.match(
      check,
      /^(not found|((^|; )(source|page) (\d{4}\.\w+(\.\w+)?|unnamed)(, \d{4}\.\w+(\.\w+)?)*)+)$/,
      member,
    );
  }
});

/** Types of Unity that a project lacks if it has disabled the module. */
const MODULES = {
  'UnityEngine.GUILayout': 'com.unity.modules.imgui',
  'UnityEngine.Networking.UnityWebRequest': 'com.unity.modules.unitywebrequest',
};

test('the package depends on the modules of Unity that it uses', () => {
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  assert.deepEqual(Object.keys(dependencies), Object.values(MODULES));
  const members = listUsedMembers();
  for (const type of Object.keys(MODULES)) assert.ok(members.includes(type), type);
});

test('the link file names types of the package, and the build gets it', () => {
  const linker = readFileSync(`${root}Editor/OverworldLinker.cs`, 'utf8');
  const { name } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  assert.ok(linker.includes(`Packages/${name}/Runtime/link.xml`));
  const xml = readFileSync(`${root}Runtime/link.xml`, 'utf8');
  const types = [...xml.matchAll(/type fullname="OverworldSdk\.(\w+)"/g)].map(([, type]) => type);
  assert.deepEqual(types, ['OverworldBehaviour', 'OverworldRunner', 'OverworldSettings']);
  for (const type of types) assert.ok(statSync(`${root}Runtime/Unity/${type}.cs`).isFile());
});

const skip = process.env.HAS_MONO ? false : 'no Mono was found';
const DECLARATIONS = 'Test~/Declarations/*.cs';

/** Compiles in a folder that is removed afterwards. */
async function inFolder(compile: (folder: string) => Promise<void>): Promise<void> {
  // A compiler replaces its output file. If root wrote to /dev/null, the compiler would replace /dev/null
  // itself.
  const folder = mkdtempSync(join(tmpdir(), 'overworld-unity-'));
  try {
    await compile(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const [place, symbols] of [
  ['', []],
  [' in the browser', ['-define:UNITY_WEBGL']],
  [' on a dedicated server', ['-define:UNITY_SERVER']],
] as const) {
  test(
    `all scripts and the tests for Unity compile against declarations of Unity${place}`,
    { skip },
    () =>
      inFolder(async (folder) => {
        const library = ['-target:library', `-out:${join(folder, 'sdk.dll')}`];
        const patterns = ['Runtime/**/*.cs', 'Editor/*.cs', 'Tests/**/*.cs', DECLARATIONS];
        await runCompiler([...symbols, ...library], patterns);
      }),
  );
}

test('a game may have classes with the names of the package and of its types', { skip }, () =>
  inFolder(async (folder) => {
    const sdk = join(folder, 'sdk.dll');
    const library = ['-target:library', `-out:${sdk}`];
    await runCompiler(library, ['Runtime/**/*.cs', DECLARATIONS]);
    const sources = globSync('Runtime/**/*.cs', { cwd: root });
    const types = sources.flatMap((path) => [
      ...readFileSync(root + path, 'utf8').matchAll(/\b(?:class|enum|interface) (\w+)/g),
    ]);
    const own = new Set(
      types.map(([, name]) => name!).filter((name) => !name.startsWith('Overworld')),
    );
    const words = ['Overworld', 'Map', 'Storage', 'Connection', 'Game', 'Event', 'Save', ...own];
    const script = `
      using OverworldSdk;
      using UnityEngine;
      ${[...new Set(words)].map((name) => `public class ${name} { }`).join('\n')}
      public class Start : MonoBehaviour
      {
          public Overworld Scene = new Overworld();
          public Player Hero = new Player();
          private async void Awake()
          {
              var client = OverworldBehaviour.Connect(new OverworldOptions { BaseUrl = "http://127.0.0.1:8080", ApiKey = "ow_dev_1", DeviceLogin = false });
              await client.Saves.Load();
              Debug.Log(new Config());
          }
      }`;
    const path = join(folder, 'game.cs');
    writeFileSync(path, script);
    const out = `-out:${join(folder, 'game.dll')}`;
    await runCompiler([`-r:${sdk}`, '-target:library', out, path], []);
  }),
);
