import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../', import.meta.url));

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
  /** True for `import()`. */
  dynamic: boolean;
}

/** Lists every import in a package's sources. */
function listImports(folder: string): Import[] {
  return globSync(`${folder}/src/**/*.{ts,tsx}`, { cwd: packages }).flatMap((file) => {
    const text = readFileSync(resolve(packages, file), 'utf8');
    const statements = text.matchAll(
      /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm,
    );
    return [...statements].map(([, type, from, dynamic]) => {
      const specifier = from ?? dynamic!;
      const target = specifier.startsWith('.')
        ? relative(packages, resolve(packages, dirname(file), specifier))
        : specifier;
      return { file, target, typeOnly: type !== undefined, dynamic: dynamic !== undefined };
    });
  });
}

const featureOf = (path: string) => /^server\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;

const isOfTests = (file: string) => file.endsWith('.test.ts') || file.includes('/test/');

test('the contract imports no package except the types of TypeBox', () => {
  const wrong = listImports('contract').filter(
    ({ target, typeOnly }) =>
      !target.startsWith('contract/src/') && !(target === 'typebox' && typeOnly),
  );
  assert.deepEqual(wrong, []);
});

test('a start loads the app after it has begun to start PostgreSQL', () => {
  const imports = listImports('server').filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic);
  const loaded = new Set(['server/src/main.ts']);
  for (const file of loaded) {
    for (const { target } of imports.filter((found) => found.file === file)) loaded.add(target);
  }
  assert.ok(loaded.has('server/src/cli/start/start.ts'));
  assert.ok(!loaded.has('server/src/app.ts'));
  assert.ok(!loaded.has('server/src/cli/commands.ts'));
});

test('platform imports no feature, no command and not the app', () => {
  const wrong = listImports('server').filter(
    ({ file, target }) =>
      file.startsWith('server/src/platform/') &&
      target.startsWith('server/') &&
      !target.startsWith('server/src/platform/') &&
      !(isOfTests(file) && target.startsWith('server/test/')),
  );
  assert.deepEqual(wrong, []);
});

test('a feature imports no other feature', () => {
  const wrong = listImports('server').filter(({ file, target }) => {
    const from = featureOf(file);
    const to = featureOf(target);
    return from !== null && to !== null && from !== to;
  });
  assert.deepEqual(wrong, []);
});

test('only app.ts and commands import features', () => {
  const wrong = listImports('server').filter(
    ({ file, target }) =>
      featureOf(target) !== null &&
      featureOf(file) === null &&
      file !== 'server/src/app.ts' &&
      !file.startsWith('server/src/cli/'),
  );
  assert.deepEqual(wrong, []);
});

test('only main.ts reads process.env', () => {
  const readers = globSync('server/src/**/*.ts', { cwd: packages })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => readFileSync(resolve(packages, file), 'utf8').includes('process.env'));
  assert.deepEqual(readers, ['server/src/main.ts']);
});

test('the dashboard and the SDK import nothing of the server and load no validator', () => {
  // A module of the contract that imports no schemas at run time loads no validator into a browser.
  const imports = listImports('contract').filter(({ typeOnly }) => !typeOnly);
  const heavy = new Set(['contract/src/schema.ts']);
  for (const module of heavy) {
    for (const { file, target } of imports) if (target === module) heavy.add(file);
  }
  const wrong = ['dashboard', 'sdk'].flatMap(listImports).filter(({ target, typeOnly }) => {
    const module = /^@overworld\/contract\/(.+)$/.exec(target)?.[1];
    const isHeavy = module !== undefined && heavy.has(`contract/src/${module}.ts`);
    return /^(server|@overworld\/server)/.test(target) || (isHeavy && !typeOnly);
  });
  assert.deepEqual(wrong, []);
});
