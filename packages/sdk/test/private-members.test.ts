import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PRIVATE_MEMBERS } from '../bundle.ts';

const BUILT_INS = [Object, Array, String, Number, Date, RegExp, Error, Map, Set, WeakMap, WeakSet];
const MORE_BUILT_INS = [Promise, Uint8Array, Math, JSON];

test('no member that gets a short name belongs to JavaScript or to the platform', () => {
  const names = [...BUILT_INS, ...MORE_BUILT_INS].flatMap((object) => [
    ...Object.getOwnPropertyNames(object),
    ...Object.getOwnPropertyNames('prototype' in object ? object.prototype : object),
  ]);
  const platform = readFileSync(new URL('../src/http/platform.ts', import.meta.url), 'utf8');
  const declared = [...platform.matchAll(/^ +(?:readonly )?(\w+)\??[(:].*;$/gm)];
  assert.ok(declared.length > 20, `${declared.length}`);
  const foreign = [...names, ...declared.map(([, name]) => name!)];
  assert.deepEqual(
    foreign.filter((name) => PRIVATE_MEMBERS.test(name)),
    [],
  );
});
