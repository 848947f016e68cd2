import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffJson } from '../src/pages/players/saves/json-diff.ts';
import { cutData, readObjectText } from '../src/pages/players/saves/json-text.ts';

const mistakeOf = (text: string) => {
  const { problem } = readObjectText(text);
  return problem && `${problem.line}:${problem.column} ${problem.words}`;
};

test('a mistake is reported with its line and column', () => {
  for (const [text, mistake] of [
    ['', '1:1 Expected a value, found the end of the text'],
    ['[]', '1:1 A save is an object: it begins with {'],
    ['7', '1:1 A save is an object: it begins with {'],
    ['{', '1:2 Expected a name in double quotes or }, found the end of the text'],
    ['{\n  "a": 1,\n}', '3:1 Expected a name in double quotes, found }'],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 Expected a comma or the end, found "b"'],
    ['{"a" 1}', '1:6 Expected a colon after the name, found 1'],
    ['{"a": }', '1:7 Expected a value, found }'],
    ['{a: 1}', '1:2 Expected a name in double quotes or }, found a'],
    ["{'a': 1}", '1:2 Texts and names stand in double quotes'],
    ['{"a": [1, ]}', '1:11 Expected a value, found ]'],
    ['{"a": [1}', '1:9 Expected a comma or the end, found }'],
    ['{"a": 01}', '1:7 Expected a value, found 01'],
    ['{"a": NaN}', '1:7 Expected a value, found NaN'],
    ['{"a": "x\n"}', '1:7 This text has no end, or a line break or unknown \\ in it'],
    ['{"a": "\\x"}', '1:7 This text has no end, or a line break or unknown \\ in it'],
    ['{} {}', '1:4 Expected nothing more, found {'],
  ] as const) {
    assert.equal(mistakeOf(text), mistake, text);
  }
});

test('compact and indented JSON keep the spelling of numbers, names and strings', () => {
  const text =
    '{ "id":76561198000000001234,"n":[1.0,-0,1e999,\t[],{}],"t":"\\u00e9\\/","t":{"é":null}}';
  const { json } = readObjectText(text);
  assert.equal(
    json?.compact,
    '{"id":76561198000000001234,"n":[1.0,-0,1e999,[],{}],"t":"\\u00e9\\/","t":{"é":null}}',
  );
  assert.equal(
    json.pretty,
    '{\n  "id": 76561198000000001234,\n  "n": [\n    1.0,\n    -0,\n    1e999,\n    [],\n    {}\n  ],\n  "t": "\\u00e9\\/",\n  "t": {\n    "é": null\n  }\n}',
  );
  assert.deepEqual(readObjectText(json.pretty).json, json);
});

/** Makes numbers that look random but are the same in each run. */
function makeRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('readObjectText accepts exactly the objects that JSON.parse accepts', () => {
  const whole = '{"a":[1,-2.5e+3,true,null,{"b\\n":"\\u0041x"}],"c":{"d":[[],{}]},"e":"f"}';
  const random = makeRandom(7);
  const parts = [...'{}[],:"\\ \n\u0001eE+-.01ntrue', 'null', 'true', '"x"'];
  let accepted = 0;
  for (let round = 0; round < 20_000; round++) {
    let text = whole;
    for (let change = 0; change <= random(3); change++) {
      const at = random(text.length + 1);
      text =
        text.slice(0, at) + (parts[random(parts.length + 8)] ?? '') + text.slice(at + random(3));
    }
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = undefined;
    }
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    const { json } = readObjectText(text);
    assert.equal(json !== null, isObject, text);
    if (json === null) continue;
    accepted++;
    assert.deepEqual(JSON.parse(json.pretty), parsed);
    assert.deepEqual(JSON.parse(json.compact), parsed);
  }
  assert.ok(accepted > 1_000, `only ${accepted} were JSON`);
});

test('cutData returns the data of a save exactly as the server has stored it', () => {
  for (const data of ['{}', '{ "a" : 1.0 }', '{"x":",\\"version\\":1,","version":{"y":"}"}}']) {
    assert.equal(cutData(`{"data":${data},"version":3,"updated_at":"2026-03-01"}`), data);
  }
});

test('each difference has a path, and an added or removed item of a list is one difference', () => {
  const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
  assert.deepEqual(diffJson({ items }, { items: items.slice(1) }), [
    { path: 'items[0]', kind: 'removed', before: { id: 'a' } },
  ]);
  assert.deepEqual(diffJson({ items }, { items: [items[0], { id: 'x' }, ...items.slice(1)] }), [
    { path: 'items[1]', kind: 'added', after: { id: 'x' } },
  ]);
  assert.deepEqual(diffJson({ items }, { items: [items[0], { id: 'B' }, items[2]] }), [
    { path: 'items[1].id', kind: 'changed', before: 'b', after: 'B' },
  ]);
  assert.deepEqual(diffJson({ list: [1, 1, 1] }, { list: [1, 1] }), [
    { path: 'list[2]', kind: 'removed', before: 1 },
  ]);
  assert.deepEqual(diffJson({ a: { b: 1 }, c: 2 }, { a: [1], d: 3 }), [
    { path: 'a', kind: 'changed', before: { b: 1 }, after: [1] },
    { path: 'c', kind: 'removed', before: 2 },
    { path: 'd', kind: 'added', after: 3 },
  ]);
});
