import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { csharp } from './csharp.ts';
import { makeDevice } from './device.ts';
import { engines } from './engines.ts';
import { API_KEY } from './transcript.ts';

const KEPT = [
  '{"max":9223372036854775807,"min":-9223372036854775808,"a":[1,1.5,true,null,{}],"":[]}',
  '"\\\\ \\" / \\u000a \\u001f é 🦊"',
  '[0,-1,0.1,-2.25]',
];
const NO_JSON = [
  '',
  '{',
  '[1',
  '{"a" 1}',
  '[1,]',
  '"',
  '"\\x"',
  '"\\u12"',
  '1 2',
  'tru',
  '-',
  '{1:2}',
];

test(
  'C#: enums are written as their names, and vectors as objects',
  { skip: csharp.skip },
  async (t) => {
    const { start } = await makeDevice(t, csharp, 'http://127.0.0.1:1');
    const game = await start();
    assert.deepEqual(JSON.parse(await game.call('forms')), {
      enum: 'QueueFull',
      enums: ['Rejected'],
      position: { x: 1, y: 2.5, z: 0.1 },
      screen: { x: 3, y: 4 },
      cell: { x: 5, y: 6, z: 7 },
      tile: { x: 8, y: 9 },
    });
  },
);

for (const engine of engines) {
  test(
    `${engine.name}: numbers in JSON keep all their digits, and text that is not JSON is refused`,
    {
      skip: engine.skip,
    },
    async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'overworld-json-'));
      const options = { base_url: 'http://127.0.0.1:1', api_key: API_KEY, folder };
      const game = await engine.start(options);
      t.after(async () => {
        await game.kill();
        await rm(folder, { recursive: true });
      });
      const rewrite = (text: string) => game.call('json', { text });
      for (const text of KEPT) assert.equal(await rewrite(text), text);
      assert.equal(await rewrite(' "\\ud83e\\udd8a\\/\\u00e9" '), '"🦊/é"');
      assert.equal(Number(await rewrite('9223372036854775808')), 9223372036854775808);
      assert.equal(Number(await rewrite('1.5e3')), 1500);
      for (const text of NO_JSON) assert.equal(await rewrite(text), null, text);
    },
  );
}
