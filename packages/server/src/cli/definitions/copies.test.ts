import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';

const FILES: Record<string, string> = {
  'achievements/first.yaml': 'key: first_blood\nname: First blood\npoints: 10\n',
  'leaderboards/high.yaml': 'key: High scores\nreset_schedule: weekly\nmax_gain: 2.5\n',
  'event-schemas/purchase.yaml':
    'key: purchase\nschema:\n  type: object\n  properties:\n    item: { type: string }\n',
  'remote-config/development.yaml':
    'key: development\nparameters:\n  reward: { value: 150 }\n  id: { value: 9007199254740993 }\n',
  'remote-config/production.yaml': 'key: production\nparameters:\n  reward: { value: 100 }\n',
  'alerts/away.yaml':
    'key: development/Away\nmetric: active_players\ncomparison: below\nthreshold: 5\n',
  'segments/whales.json': '{ "key": "Whales", "query": "has_tags=whale" }\n',
};
const TO_PRODUCTION = ['--from=development', '--to=production'];

suite('files of one environment, planned for the other one', () => {
  let server: TestServer;
  let other: TestServer;
  before(async () => {
    [server, other] = await Promise.all([startTestServer(), startTestServer()]);
  });
  after(() => Promise.all([server.close(), other.close()]));

  /** Makes an empty game, and calls commands about it. */
  const makeStudio = async (on: TestServer) => {
    const { game_id } = await on.makeGame();
    const { token } = await on.makeAccount({ game_id, role: 'developer' });
    const call = (name: string, folder: string, ...more: string[]) =>
      callCli([name, folder, ...more], {
        OVERWORLD_URL: on.url,
        OVERWORLD_GAME: game_id,
        OVERWORLD_TOKEN: token,
      });
    return {
      call,
      request: (method: string, path: string, body?: unknown) =>
        on.request(method, `/v1/games/${game_id}${path}`, { token, body }),
      async apply(folder: string, ...more: string[]) {
        const { stdout } = await call('plan', folder, '--json', ...more);
        const { plan } = JSON.parse(stdout) as { plan: string };
        return call('apply', folder, `--plan=${plan}`, ...more);
      },
    };
  };

  const makeFolder = async (t: TestContext, files: Record<string, string> = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'overworld-copies-'));
    t.after(() => rm(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return folder;
  };

  test('the plan has the id of the copy that the API plans, and its apply names the versions', async (t) => {
    const studio = await makeStudio(server);
    const folder = await makeFolder(t, FILES);
    await studio.apply(folder);
    // A file of what both environments share is no part of a copy.
    await writeFile(join(folder, 'achievements/first.yaml'), 'key: first_blood\nname: Other\n');
    const copy = { from: 'development', to: 'production', kinds: ['remote_config'] };
    const configs = [...TO_PRODUCTION, '--kinds=remote_config'];
    const { plan } = (await studio.request('POST', '/definitions/copy/plan', copy)).body;
    const changes = ['    parameters.reward.value: 100 → 150'];
    changes.push('    parameters.id: {"value":9007199254740993}');
    const effect = '  * No player was seen in production in the last 7 days.';
    const end = ['', '0 to make, 1 to change, 0 to delete.', `Plan ${plan}`, ''];
    const planned = await studio.call('plan', folder, ...configs);
    assert.equal(planned.code, 2);
    assert.equal(
      planned.stdout,
      ['~ remote_config "production"', ...changes, effect, ...end].join('\n'),
    );
    const applied = await studio.call('apply', folder, `--plan=${plan}`, ...configs);
    const versions = '~ remote_config "production": version 2, after version 1';
    assert.equal(applied.stdout, [versions, ...changes, ...end].join('\n'));
    const again = await studio.call('plan', folder, ...configs);
    assert.deepEqual([again.code, again.stdout], [0, 'No changes.\n']);

    // Without the kinds, all that the environment has is planned.
    const { changes: left } = JSON.parse(
      (await studio.call('plan', folder, '--json', ...TO_PRODUCTION)).stdout,
    );
    assert.deepEqual(
      left.map(({ kind, key }: { kind: string; key: string }) => `${kind} ${key}`),
      ['alert production/Away'],
    );
    assert.equal((await studio.apply(folder, ...TO_PRODUCTION)).code, 0);
    assert.equal((await studio.call('plan', folder, ...TO_PRODUCTION)).code, 0);

    await studio.call('pull', folder);
    const production = await readFile(join(folder, 'remote-config/production.yaml'), 'utf8');
    assert.match(production, /reward: \{ value: 150 \}/);
  });

  test('a copy names both environments, and files of the first one', async (t) => {
    const studio = await makeStudio(server);
    const folder = await makeFolder(t, { 'achievements/a.yaml': 'key: a\nname: A\n' });
    const both = /Name both environments of a copy/;
    for (const [options, expected] of [
      [['--from=development'], both],
      [['--to=production'], both],
      [['--from=staging', '--to=production'], both],
      [['--from=production', '--to=production'], both],
      [[...TO_PRODUCTION, '--prune'], /--prune is about all files/],
      [TO_PRODUCTION, /has no such files of development\./],
      [['--kinds=alert'], both],
      [[...TO_PRODUCTION, '--kinds=alert,segment'], /no segment of their own, but remote_config/],
    ] as const) {
      const { code, stderr } = await studio.call('plan', folder, ...options);
      assert.equal(code, 1);
      assert.match(stderr, expected);
    }
  });

  test('a mistake in a copied file is named by the file and the line', async (t) => {
    const studio = await makeStudio(server);
    const text = 'key: development\n\nparameters: { reward: { valeu: 1 } }\n';
    const folder = await makeFolder(t, { 'remote-config/development.yaml': text });
    const { code, stderr } = await studio.call('plan', folder, ...TO_PRODUCTION);
    assert.equal(code, 1);
    assert.match(stderr, /remote-config\/development\.yaml:3: parameters/);
  });

  test('another installation gets all that a pull has written', async (t) => {
    const first = await makeStudio(server);
    await first.apply(await makeFolder(t, FILES));
    const pulled = await makeFolder(t);
    await first.call('pull', pulled);

    const second = await makeStudio(other);
    assert.equal((await second.call('plan', pulled)).code, 2);
    const applied = await second.apply(pulled);
    assert.equal(applied.code, 0, applied.stderr);
    assert.equal((await second.call('plan', pulled, '--prune')).stdout, 'No changes.\n');
    assert.deepEqual(
      (await second.request('GET', '/definitions')).body.definitions,
      (await first.request('GET', '/definitions')).body.definitions,
    );
  });
});
