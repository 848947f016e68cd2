import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { firstEventSnippets } from '../../packages/dashboard/src/pages/first-run/snippets.ts';
import { runCompiler } from './csharp.ts';
import { godot, openProject } from './godot/godot.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Reads the first block of code in this language from a README. */
const readBlock = (path: string, language: string) =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(read(path))![1]!;

const snippet = (name: string) =>
  firstEventSnippets('https://play.example.com', 'ow_dev_1').find((each) => each.name === name)!
    .code;

test(
  'the GDScript of the README and of the dashboard compiles',
  { skip: godot.skip },
  async (t) => {
    const game = await openProject();
    t.after(() => game.kill());
    for (const code of [readBlock('godot/README.md', 'gdscript'), snippet('Godot')]) {
      assert.equal(await game.call('compile', { code }), true, code);
    }
  },
);

test(
  'the C# of the README, of the sample and of the dashboard compiles',
  {
    skip: process.env.HAS_MONO ? false : 'no Mono was found',
  },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'overworld-quick-start-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'readme.cs'), readBlock('unity/README.md', 'csharp'));
    await writeFile(join(folder, 'dashboard.cs'), snippet('Unity'));
    const packaged = ['Runtime/**/*.cs', 'Samples~/**/*.cs', 'Test~/Declarations/*.cs'];
    const sources = [...packaged, `${folder}/*.cs`];
    const library = ['-target:library', `-out:${join(folder, 'examples.dll')}`];
    await runCompiler(library, sources);
  },
);

test('the READMEs name all public calls', () => {
  const addon = globSync('{overworld,api/*}.gd', {
    cwd: new URL('../godot/addons/overworld', import.meta.url),
  });
  const unity = [
    'OverworldClient',
    'Account',
    'Achievements',
    'Config',
    'Leaderboards',
    'Messages',
    'Saves',
    'Stats',
    'Tags',
  ];
  for (const [readme, sources, declaration] of [
    [
      'godot/README.md',
      addon.map((path) => `godot/addons/overworld/${path}`),
      /^(?:func|signal) ([a-z]\w*)/gm,
    ],
    [
      'unity/README.md',
      unity.map((name) => `unity/Runtime/Core/${name}.cs`),
      /^ {8}public (?:async |event )?[\w<>, ?[\]]+ ([A-Z]\w*)(?:\(|<T>| \{)/gm,
    ],
  ] as const) {
    const text = read(readme);
    const names = new Set(
      sources.flatMap((path) => [...read(path).matchAll(declaration)].map(([, name]) => name!)),
    );
    assert.ok(names.size > 25, `${names.size}`);
    const missing = [...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
    assert.deepEqual(missing, [], readme);
  }
});

test('all SDKs have the version of the workspace', () => {
  const { version } = JSON.parse(read('../package.json'));
  assert.equal(JSON.parse(read('unity/package.json')).version, version);
  for (const [path, declaration] of [
    ['../packages/sdk/src/http/version.ts', "VERSION = '"],
    ['godot/addons/overworld/core/transport.gd', 'VERSION: String = "'],
    ['unity/Runtime/Core/ApiClient.cs', 'Version = "'],
  ] as const) {
    assert.ok(read(path).includes(declaration + version), path);
  }
  assert.match(
    read('godot/addons/overworld/plugin.cfg'),
    new RegExp(`^version="${version}"$`, 'm'),
  );
});
