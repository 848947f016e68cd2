import assert from 'node:assert/strict';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startAnsweringServer, succeed } from './answering-server.ts';
import type { SentAnswer } from './answering-server.ts';
import { csharp } from './csharp.ts';
import { makeDevice } from './device.ts';
import { typescript } from './typescript.ts';

const page: SentAnswer = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<p>Bad Gateway</p>',
};

for (const engine of [csharp]) {
  describe(`${engine.name} and a storage that takes nothing`, { skip: engine.skip }, () => {
    test('a call is kept only if it is stored, and the storage is told once', async (t) => {
      const server = await startAnsweringServer(t);
      const { start, folder } = await makeDevice(t, engine, server.url);
      const game = await start();
      server.answer = succeed;
      assert.equal(await game.call('flush'), true);
      server.answer = () => page;
      // A file in the place of a folder refuses every write, also those of root.
      const folders = (await readdir(folder, { withFileTypes: true })).filter((entry) =>
        entry.isDirectory(),
      );
      for (const { name } of folders) {
        await rename(join(folder, name), join(folder, `${name}.away`));
        await writeFile(join(folder, name), '');
      }
      const calls = () => [
        game.call('leaderboards.submit', { board: 'b', score: 1 }),
        game.call('saves.save', { text: '{"a":1}' }),
        game.call('achievements.unlock', { key: 'k' }),
      ];
      for (const call of calls()) await assert.rejects(call, { code: 'store_failed' });
      assert.equal(await game.call('queued_calls'), 0);
      const { errors } = await game.call('reports');
      const codes = errors.map(({ code }: { code: string }) => code);
      assert.deepEqual(codes.filter((code: string) => code === 'store_failed').length, 1);
      const said: string[] = await game.call('said');
      assert.equal(said.filter((text) => text.includes('full or blocked')).length, 1);

      for (const { name } of folders) {
        await rm(join(folder, name));
        await rename(join(folder, `${name}.away`), join(folder, name));
      }
      for (const call of calls()) await assert.rejects(call, { code: 'bad_answer' });
      assert.equal(await game.call('queued_calls'), 3);
    });
  });
}

describe('a board that is refused for an hour', () => {
  for (const engine of [typescript, csharp]) {
    test(
      `${engine.name}: does not hold up the scores of other boards`,
      { skip: engine.skip },
      async (t) => {
        const server = await startAnsweringServer(t);
        const { start } = await makeDevice(t, engine, server.url);
        const game = await start();
        const submit = (board: string) => game.call('leaderboards.submit', { board, score: 1 });
        server.answer = (line, body) =>
          body.includes('refused')
            ? {
                status: 429,
                headers: { 'content-type': 'application/json', 'retry-after': '3000' },
                body: '{"error":"Too Many Requests","statusCode":429,"message":"Your network has made 20 new leaderboards"}',
              }
            : succeed(line, body);
        await assert.rejects(submit('refused'), { code: 'rate_limited' });
        assert.equal((await submit('other')).rank, 1);
        assert.equal(await game.call('queued_calls'), 1);
        await assert.rejects(submit('refused'), { code: 'rate_limited' });
        assert.equal(await game.call('queued_calls'), 1);
        server.answer = succeed;
        assert.equal(await game.call('flush'), true);
      },
    );
  }
});
