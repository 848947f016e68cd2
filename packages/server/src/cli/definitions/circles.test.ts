import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';

test('segments that use each other in a circle are named by file and line', async (t) => {
  await using server = await startTestServer();
  const { game_id } = await server.makeGame();
  const { token } = await server.makeAccount({ game_id, role: 'developer' });
  const folder = await mkdtemp(join(tmpdir(), 'overworld-files-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'segments'));
  for (const [key, used] of ['AB', 'BA'].map((pair) => [...pair])) {
    const query = `players=${encodeURIComponent(JSON.stringify({ segment: used }))}`;
    await writeFile(
      join(folder, `segments/${key}.yaml`),
      `key: ${key}\n# uses the other\nquery: ${query}\n`,
    );
  }
  const { code, stderr } = await callCli(['plan', folder], {
    OVERWORLD_URL: server.url,
    OVERWORLD_GAME: game_id,
    OVERWORLD_TOKEN: token,
  });
  assert.equal(code, 1);
  assert.match(stderr, /segments\/A\.yaml:3: query makes a circle of segments: A → B → A/);
});
