import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { makeLoginGame } from '../../packages/sdk/test/login-game.ts';
import { startTestServer } from '../../packages/server/test/harness.ts';
import { waitUntil } from '../../packages/server/test/wait-until.ts';
import { makeDevice } from './device.ts';
import { engines } from './engines.ts';

const NOWHERE = 'http://127.0.0.1:1';

/** Finds a file of a device by its text. */
async function findFile(folder: string, isIt: (text: string) => boolean) {
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    const text = file.isFile() ? await readFile(path, 'utf8') : '';
    if (isIt(text)) return { path, text };
  }
  throw new Error(`no such file is in ${folder}`);
}

const isSession = (text: string) => text.includes('"refresh_token"');
const isIdentity = (text: string) => text.includes('"secret"') && !isSession(text);

for (const engine of engines) {
  describe(`${engine.name} and kills between two writes`, { skip: engine.skip }, () => {
    test('a device that was killed while it moved to a player logs in as this player again', async (t) => {
      await using server = await startTestServer();
      const { production_key: api_key } = await makeLoginGame(server);
      const options = { player_id: undefined, api_key };
      const old = await makeDevice(t, engine, server.url, options);
      const moved = await makeDevice(t, engine, server.url, options);
      const host = await old.start();
      const code = await host.call('account.create_move_code');
      const player_id = await host.call('player_id');

      const guest = await moved.start();
      await guest.call('account.get_player_token');
      const before = await findFile(moved.folder, isIdentity);
      assert.equal(await guest.call('account.move_here', { code }), player_id);
      await guest.kill();
      // The kill came after the first of the two writes.
      await writeFile(before.path, before.text);
      const next = await moved.start();
      assert.equal(await next.call('player_id'), player_id);
      await next.kill();
      await rm((await findFile(moved.folder, isSession)).path);

      const last = await moved.start();
      await last.call('account.get_player_token');
      assert.equal(await last.call('player_id'), player_id);
    });

    test('a session is over on the device before its end is tracked', async (t) => {
      const { folder, start } = await makeDevice(t, engine, NOWHERE);
      const game = await start();
      await game.call('track', { event_name: 'begin' });
      const [name] = await readdir(folder);
      const changed: string[] = [];
      const watcher = watch(join(folder, name!), (_, file) => changed.push(file!));
      t.after(() => watcher.close());
      await sleep(50);
      assert.deepEqual(changed, []);
      void game.call('close').catch(() => undefined);
      await waitUntil('the end is tracked', async () => changed.some((file) => file !== 'session'));
      assert.equal(changed[0], 'session');
    });
  });
}
