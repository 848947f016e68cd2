import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { MAX_DEFINITION_BYTES } from '@overworld/contract/definitions/definitions';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';

/** A question about players that is nearly as long as it may be. */
const LONG_QUERY = `players=${encodeURIComponent(
  JSON.stringify({
    properties: Array.from({ length: 20 }, (_, index) => ({
      property: `p${index}`,
      operator: 'eq',
      value: '<'.repeat(230),
    })),
  }),
)}`;

suite('a game with definitions that are too large for a plan', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeStudio = async (t: TestContext) => {
    const { game_id } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id, role: 'developer' });
    const folder = await mkdtemp(join(tmpdir(), 'overworld-files-'));
    t.after(() => rm(folder, { recursive: true }));
    return {
      folder,
      call: (name: string, ...more: string[]) =>
        callCli([name, folder, ...more], {
          OVERWORLD_URL: server.url,
          OVERWORLD_GAME: game_id,
          OVERWORLD_TOKEN: token,
        }),
      async send(method: string, path: string, body: unknown) {
        const answer = await server.request(method, `/v1/games/${game_id}${path}`, { token, body });
        assert.ok(answer.status < 300, answer.text);
        return answer.body;
      },
    };
  };

  test('is pulled, and a plan names the file and the ways out, which all work', async (t) => {
    const { folder, call, send } = await makeStudio(t);
    const card = { title: 'x', report: 'retention', chart: 'curve', query: LONG_QUERY };
    const cards = Array.from({ length: 20 }, () => card);
    assert.ok(JSON.stringify(cards).length > MAX_DEFINITION_BYTES);
    const { id } = await send('POST', '/dashboards', { name: 'long' });
    for (const each of cards) await send('POST', `/dashboards/${id}/cards`, each);
    await send('POST', '/achievements', { key: 'a', name: 'A' });

    const pulled = await call('pull');
    assert.equal(pulled.code, 0, pulled.stderr);
    const file = join(folder, 'dashboards/long.yaml');
    const problem = /long\.yaml: has \d+ KB as JSON, and a plan takes at most 260 KB/;
    assert.match(pulled.stderr, problem);
    const text = await readFile(file, 'utf8');
    assert.equal(text.match(/title: x/g)?.length, 20);

    const planned = await call('plan');
    assert.equal(planned.code, 1);
    assert.match(planned.stderr, problem);
    assert.match(planned.stderr, /: divide it, or move it out of the folder and plan without/);
    assert.equal(planned.stdout, '');
    const again = await call('pull');
    assert.equal(again.code, 1);
    assert.match(again.stderr, /: delete the file, and the next pull writes it anew/);
    assert.equal(await readFile(file, 'utf8'), text);

    await rm(file);
    assert.equal((await call('pull')).code, 0);
    assert.equal(await readFile(file, 'utf8'), text);
    await rm(file);
    assert.deepEqual(await call('plan').then(({ code, stdout }) => [code, stdout]), [
      0,
      'No changes.\n',
    ]);
  });

  test('with files that are too large together is planned in parts', async (t) => {
    const { folder, call, send } = await makeStudio(t);
    const long = encodeURIComponent('x'.repeat(16_000));
    const names = Array.from({ length: 260 }, (_, index) => `Report ${index}`);
    for (const name of names) {
      await send('PUT', `/saved-reports/funnel/${encodeURIComponent(name)}`, {
        query: `q=${long}`,
      });
    }
    const pulled = await call('pull');
    assert.equal(pulled.code, 0, pulled.stderr);
    assert.match(
      pulled.stderr,
      /^The files have 4,\d+ KB in all as JSON, and a plan takes at most 4,032 KB\.$/m,
    );
    const planned = await call('plan');
    assert.equal(planned.code, 1);
    assert.match(
      planned.stderr,
      /The files have .+ in all as JSON, .+: move some of them out of the folder, and plan without --prune\. The largest are \S+saved-reports\S+ \(16 KB\), .+/,
    );
    const reports = join(folder, 'saved-reports');
    for (const name of (await readdir(reports)).slice(0, 20)) await rm(join(reports, name));
    assert.equal((await call('plan')).stdout, 'No changes.\n');
    await writeFile(join(folder, 'achievements.txt'), 'a text for readers');
    assert.equal((await call('plan')).code, 0);
  });
});
