import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { TestContext } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';

const FILES: Record<string, string> = {
  'achievements/first.yaml': `# The first one that players get.
key: first_blood
points: 10 # as many as the second
name: First blood
`,
  'leaderboards/high.yaml': 'key: High scores\nreset_schedule: weekly\nmax_gain: 2.5\n',
  'event-schemas/purchase.yaml':
    'key: purchase\nschema:\n  type: object\n  properties:\n    item: { type: string }\n',
  'remote-config/production.yaml':
    'key: production\nparameters:\n  id: { value: 9007199254740993 }\n  on: { value: true }\n',
  'experiments/reward.yaml': `key: production/Reward
share: 50
variants:
  - { name: Control, weight: 1 } # as it is
  - name: Generous
    weight: 1
    values: { id: 9007199254740993 }
metrics:
  - { kind: retention, days: 1 }
`,
  'dashboards/main.yaml':
    'key: Main\ncards:\n  - { title: Back, report: retention, chart: curve } # the first\n',
  'alerts/away.yaml':
    'key: production/Away\nmetric: events\nevent_name: error # of the client\ncomparison: above\nthreshold: 5\n',
  'saved-reports/shop.yaml': 'key: funnel/Shop\nquery: steps=%5B%5D\n',
  'player-verification/development.yaml': 'key: development\nallows_claims: false\n',
  'revenue-settings/game.yaml':
    'key: game\nevent_name: purchase\namount_property: price\ncurrency: EUR\n',
  'settings/game.yaml': 'key: game\ntime_zone: UTC\ndevelopment_event_validation: warn\n',
  'shares/development.yaml': 'key: development\nplayer_requests_per_minute: 60\n',
  'segments/whales.json': '{ "key": "Whales", "query": "has_tags=whale" }\n',
};

suite('the game as files', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const makeFolder = async (t: TestContext) => {
    const folder = await mkdtemp(join(tmpdir(), 'overworld-files-'));
    t.after(() => rm(folder, { recursive: true }));
    return folder;
  };

  const makeStudio = async (t: TestContext, role: 'developer' | 'admin' = 'developer') => {
    const { game_id, production_key: key } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id, role });
    const folder = await makeFolder(t);
    const call = (name: string, at = folder, ...more: string[]) =>
      callCli([name, at, ...more], {
        OVERWORLD_URL: server.url,
        OVERWORLD_GAME: game_id,
        OVERWORLD_TOKEN: token,
      });
    return {
      folder,
      call,
      request: (method: string, path: string, body?: unknown) =>
        server.request(method, `/v1/games/${game_id}${path}`, { token, body }),
      /** Makes a player. */
      async meet(player_id: string, is_vip: boolean) {
        await server.request('POST', '/v1/identify', { key, body: { player_id, properties: {} } });
        const tags = `/v1/players/${player_id}/tags`;
        if (is_vip) await server.request('POST', tags, { key, body: { tag: 'vip' } });
      },
      async apply(at = folder, ...more: string[]) {
        const { stdout } = await call('plan', at, '--json', ...more);
        const { plan } = JSON.parse(stdout) as { plan: string };
        return call('apply', at, `--plan=${plan}`, ...more);
      },
    };
  };

  const write = async (folder: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };

  const readAll = async (folder: string) => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\./.test(name));
    const texts = names
      .toSorted()
      .map(async (name) => [name, await readFile(join(folder, name), 'utf8')]);
    return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
  };

  test('a pull into an empty folder, applied to an empty game and pulled there, differs in nothing', async (t) => {
    const first = await makeStudio(t);
    await write(first.folder, FILES);
    const applied = await first.apply();
    assert.equal(applied.code, 0, applied.stderr);
    assert.match(applied.stdout, /\+ achievement "first_blood"\n {4}name: "First blood"/);
    assert.equal((await first.call('plan')).stdout, 'No changes.\n');

    const pulled = join(await makeFolder(t), 'pulled');
    assert.equal((await first.call('pull', pulled)).code, 0);
    const second = await makeStudio(t);
    assert.equal((await second.apply(pulled)).code, 0);
    const again = join(second.folder, 'again');
    assert.equal((await second.call('pull', again)).code, 0);
    const files = await readAll(again);
    assert.deepEqual(files, await readAll(pulled));
    assert.equal(Object.keys(files).length, 16);
    assert.match(files['remote-config/production.yaml']!, /value: 9007199254740993\n/);
  });

  test('a plan says what its changes do, and names the members that differ', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, {
      'remote-config/production.yaml': 'key: production\nparameters:\n  gold: { value: 1 }\n',
    });
    await studio.apply();
    for (const player_id of ['a', 'b']) await studio.meet(player_id, player_id === 'a');
    await write(studio.folder, {
      'remote-config/production.yaml':
        'key: production\nparameters:\n  gold:\n    value: 1\n    rules: [{ has_tags: [vip], value: 2 }]\n',
    });
    const { stdout, stderr } = await studio.call('plan');
    assert.match(
      stdout,
      /^~ remote_config "production"\n {4}parameters\.gold\.rules: .*\n {2}\* 1 of 2 players seen in production in the last 7 days gets another `gold`\.\n\n/,
    );
    assert.equal(stderr, '');
    const { effects } = JSON.parse((await studio.call('plan', studio.folder, '--json')).stdout);
    assert.deepEqual(effects[0].numbers, { changed: 1, players: 2 });
  });

  test('comments and the order of members survive a pull', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, FILES);
    await studio.apply();
    const file = join(studio.folder, 'achievements/first.yaml');
    await writeFile(file, FILES['achievements/first.yaml']!.replace('10', '7'));
    assert.equal((await studio.call('pull')).code, 0);
    const text = await readFile(file, 'utf8');
    assert.ok(text.startsWith(FILES['achievements/first.yaml']!), text);
    assert.equal(
      await readFile(join(studio.folder, 'segments/whales.json'), 'utf8'),
      FILES['segments/whales.json'],
    );
  });

  test('comments within lists survive a pull that changes the lists', async (t) => {
    const studio = await makeStudio(t);
    const card = (title: string, comment: string) =>
      `  # about ${title}\n  - title: ${title} # ${comment}\n    report: retention\n    chart: curve\n`;
    await write(studio.folder, {
      'dashboards/main.yaml': `key: Main\ncards:\n${card('A', 'one')}${card('B', 'two')}${card('C', 'three')}`,
    });
    assert.equal((await studio.apply()).code, 0);
    const { dashboards } = (await studio.request('GET', '/dashboards')).body;
    const { id } = dashboards[0];
    const { cards } = (await studio.request('GET', `/dashboards/${id}`)).body;
    const [a, b, c] = cards;
    const changed = { cards: [c, { ...a, width: 'full' }, { ...b, id: undefined, title: 'New' }] };
    assert.equal((await studio.request('PATCH', `/dashboards/${id}`, changed)).status, 200);
    assert.equal((await studio.call('pull')).code, 0);
    const text = await readFile(join(studio.folder, 'dashboards/main.yaml'), 'utf8');
    const order = ['about C', 'title: C # three', 'width: full', 'title: New'];
    assert.deepEqual(
      order.toSorted((x, y) => text.indexOf(x) - text.indexOf(y)),
      order,
      text,
    );
    assert.equal((await studio.call('plan')).stdout, 'No changes.\n');
  });

  test('a plan after a pull is empty, also without places in files and with long numbers', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, {
      'achievements/a.yaml': 'key: a\nname: A\n',
      'achievements/b.yaml': 'key: b\nname: B\n',
      'remote-config/production.yaml': 'key: production\nparameters: {}\n',
    });
    await studio.apply();
    await studio.request('POST', '/achievements', { key: 'c', name: 'C', position: 1 });
    const text =
      '{"parameters":{"id":{"value":9007199254740993},"pi":{"value":[3.14159265358979323846]}}}';
    assert.equal((await studio.request('PUT', '/config', text)).status, 200);
    assert.equal((await studio.call('pull')).code, 0);
    const file = await readFile(join(studio.folder, 'remote-config/production.yaml'), 'utf8');
    assert.match(file, /9007199254740993/);
    assert.match(file, /3\.14159265358979323846/);
    assert.equal((await studio.call('plan')).stdout, 'No changes.\n');
    assert.equal((await studio.call('plan', studio.folder, '--prune')).stdout, 'No changes.\n');
  });

  test('a JSON file stays JSON when it is pulled, and keeps the order of its members', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, {
      'achievements/a.json': '{ "points": 1, "key": "a", "name": "A" }\n',
      'remote-config/production.json': '{ "key": "production", "parameters": {} }\n',
    });
    await studio.apply();
    const changes = { description: 'new "words"', points: 3, name: 'é\u2028' };
    await studio.request('PATCH', '/achievements/a', changes);
    const parameters = { shop: { value: { open: true, '1': null, x: ['yes', 1.5] } } };
    await studio.request('PUT', '/config', { parameters });
    await studio.call('pull');
    const read = async (name: string) =>
      JSON.parse(await readFile(join(studio.folder, name), 'utf8')) as Record<string, unknown>;
    const achievement = await read('achievements/a.json');
    assert.deepEqual(achievement, { key: 'a', ...changes });
    assert.deepEqual(Object.keys(achievement), ['points', 'key', 'name', 'description']);
    assert.deepEqual((await read('remote-config/production.json')).parameters, parameters);
    assert.equal((await studio.call('plan')).stdout, 'No changes.\n');
  });

  test('a folder of which not all is read is refused, because the rest would count as deleted', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, FILES);
    await studio.apply();
    for (const name of ['plan', 'apply']) {
      const { code, stderr } = await studio.call(
        name,
        join(studio.folder, 'typo'),
        '--prune',
        ...(name === 'apply' ? ['--plan=x'] : []),
      );
      assert.equal(code, 1);
      assert.match(stderr, /typo cannot be read: there is no such folder/);
    }
    const empty = await studio.call('plan', await makeFolder(t), '--prune');
    assert.equal(empty.code, 1);
    assert.match(empty.stderr, /has no files, and --prune would delete all definitions/);
    for (const [name, expected] of [
      ['achievements/world/b.yaml', /achievements\/world: only files may be here/],
      ['achievements/b.YAML', /b\.YAML: the name must end with/],
      ['achievements/b.yaml.bak', /b\.yaml\.bak: the name must end with/],
      ['achievements/b.yaml/x', /achievements\/b\.yaml: only files may be here/],
      ['achievments/b.yaml', /achievments: no kind of definitions has this folder/],
      ['achievements/b.json', /b\.json:1: the file is not valid JSON/],
    ] as const) {
      await write(studio.folder, { [name]: 'key: b\nname: B\n' });
      for (const command of ['plan', 'pull']) {
        const { code, stderr } = await studio.call(command);
        assert.equal(code, 1);
        assert.match(stderr, expected);
      }
      const [folder = '', first = ''] = name.split('/');
      await rm(join(studio.folder, folder, folder === 'achievments' ? '' : first), {
        recursive: true,
      });
    }
    await write(studio.folder, { 'README.md': '# Files', 'achievements/README.md': '# Files' });
    await writeFile(join(studio.folder, 'achievements/large.yaml'), 'x'.repeat(1_100_000));
    assert.match((await studio.call('plan')).stderr, /large\.yaml: the file has more than 1 MB/);
    await rm(join(studio.folder, 'achievements/large.yaml'));
    await symlink(await makeFolder(t), join(studio.folder, 'achievements/link.yaml'));
    assert.match((await studio.call('plan')).stderr, /link\.yaml: leads out of the folder/);
    await rm(join(studio.folder, 'achievements/link.yaml'));
    assert.equal((await studio.call('plan')).stdout, 'No changes.\n');
    const other = await makeFolder(t);
    await symlink(await makeFolder(t), join(other, 'achievements'));
    assert.match(
      (await studio.call('pull', other)).stderr,
      /achievements: leads out of the folder/,
    );
  });

  test('keys that are names of devices get other file names', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, { 'achievements/x.yaml': 'key: con\nname: Console\n' });
    await studio.apply();
    const pulled = await makeFolder(t);
    await studio.call('pull', pulled);
    assert.deepEqual(await readdir(join(pulled, 'achievements')), ['%63on.yaml']);
  });

  test('mistakes are named by file and line, and nothing is changed', async (t) => {
    const studio = await makeStudio(t);
    const mistakes: [string, RegExp][] = [
      ['key: a\nname: A\npoints: many\n', /achievements\/a\.yaml:3: points must be a whole number/],
      ['key: a\nname: A\n\npionts: 1\n', /achievements\/a\.yaml:4: pionts is not allowed/],
      ['key: a\nname: A\nname: B\n', /achievements\/a\.yaml:3: Map keys must be unique/],
      ['- key\n', /achievements\/a\.yaml:1: the file must have members/],
      ['name: A\n', /achievements\/a\.yaml:1: key must be a string/],
      ['key: a\nname: A\n\npoints: .nan\n', /a\.yaml:4: \.nan is not a number of JSON/],
      ['key: a\nname: A\npoints: -.INF\n', /a\.yaml:3: -\.INF is not a number of JSON/],
      ['key: a\nname: "A\\0"\n', /a\.yaml:2: texts must not contain \\0/],
      ['key: a\nname: A\n1: x\n', /a\.yaml:3: names must be texts/],
      ['key: 7\nname: A\n', /a\.yaml:1: key must be a string/],
      [`key: a\nname: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, /a\.yaml:\d+: /],
      ['key: a\nname: &n A\ndescription: *n\n', /achievements\/a\.yaml:3: aliases are not allowed/],
    ];
    for (const [text, expected] of mistakes) {
      await write(studio.folder, { 'achievements/a.yaml': text });
      const { code, stderr } = await studio.call('plan');
      assert.equal(code, 1);
      assert.match(stderr, expected);
    }
  });

  test('an alert that names a pruned webhook is named by file and line', async (t) => {
    const studio = await makeStudio(t, 'admin');
    const id = '5f2c1d3e-8a4b-4c6d-9e7f-0a1b2c3d4e5f';
    const alert = `key: production/Away\nmetric: active_players\ncomparison: above\nthreshold: 5\nwebhook_ids: [${id}]\n`;
    await write(studio.folder, {
      'webhooks/a.yaml': `key: ${id}\nurl: https://hooks.studio.example/a\nevents: []\n`,
      'alerts/away.yaml': alert,
    });
    const made = await studio.apply();
    assert.equal(made.code, 0, made.stderr);
    await rm(join(studio.folder, 'webhooks/a.yaml'));
    const { code, stderr } = await studio.apply(studio.folder, '--prune');
    assert.equal(code, 1);
    assert.match(stderr, /alerts\/away\.yaml:5: webhook_ids must be webhooks of the game, and the/);
    assert.equal((await studio.call('plan')).stdout, 'No changes.\n');
  });

  test('plan ends with 0 without changes, with 2 if there are some, and with 1 after a failure', async (t) => {
    const studio = await makeStudio(t);
    assert.equal((await studio.call('plan')).code, 0);
    await write(studio.folder, FILES);
    assert.equal((await studio.call('plan')).code, 2);
    assert.equal((await studio.call('plan', studio.folder, '--json')).code, 2);
    await write(studio.folder, { 'achievements/a.yaml': 'key: a\npoints: 1\n' });
    assert.equal((await studio.call('plan')).code, 1);
    assert.equal((await studio.call('plan', studio.folder, '--no-such-option')).code, 1);
  });

  test('with --json, failures are JSON on standard output', async (t) => {
    const studio = await makeStudio(t);
    const read = async (...more: string[]) => {
      const [name = '', ...options] = more;
      const { code, stdout, stderr } = await studio.call(name, studio.folder, '--json', ...options);
      assert.deepEqual([code, stderr], [1, '']);
      return JSON.parse(stdout);
    };
    const file = join(studio.folder, 'achievements/a.yaml');
    for (const [text, line, error] of [
      ['key: a\nname: A\n\npoints: many\n', 4, 'points must be a whole number'],
      ['key: a\nname: A\nname: B\n', 3, 'Map keys must be unique'],
    ] as const) {
      await write(studio.folder, { 'achievements/a.yaml': text });
      for (const name of ['plan', 'pull']) {
        const { problems } = await read(name);
        assert.deepEqual([problems.length, problems[0].file, problems[0].line], [1, file, line]);
        assert.ok(problems[0].error.startsWith(error), problems[0].error);
      }
    }
    await rm(file);
    const refused = await read('apply', '--plan=no');
    assert.match(refused.error, /^The plan is out of date/);
    assert.deepEqual(refused.problems, []);
    assert.match((await read('plan', '--server=http://127.0.0.1:1')).error, /does not answer/);
  });

  test('a pull that cannot write all its files leaves the folder as it was', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, FILES);
    await studio.apply();
    // Another thing has taken the name of the last file that the pull writes.
    const first = 'key: first_blood\nname: Another name\n';
    const files = {
      'achievements/first.yaml': first,
      'event-schemas/gone.yaml': 'key: gone\nschema: {}\n',
      'segments/%57hales.yaml': 'key: other\nquery: has_tags=other\n',
    };
    for (const name of Object.keys(FILES)) await rm(join(studio.folder, name));
    await rm(join(studio.folder, 'leaderboards'), { recursive: true });
    await write(studio.folder, files);
    const { code, stderr } = await studio.call('pull', studio.folder, '--prune');
    assert.equal(code, 1);
    assert.match(stderr, /%57hales\.yaml is in the way/);
    const names = await readdir(studio.folder, { recursive: true });
    assert.deepEqual(
      names.filter((name) => /[.]/.test(name)).toSorted(),
      Object.keys(files).toSorted(),
    );
    assert.ok(!names.includes('leaderboards'));
    assert.equal(await readFile(join(studio.folder, 'achievements/first.yaml'), 'utf8'), first);
  });

  test('an apply of a plan of yesterday is refused', async (t) => {
    const studio = await makeStudio(t);
    await write(studio.folder, FILES);
    const { stdout } = await studio.call('plan', studio.folder, '--json');
    await write(studio.folder, { 'achievements/b.yaml': 'key: b\nname: B\n' });
    const plan = (JSON.parse(stdout) as { plan: string }).plan;
    const { code, stderr } = await studio.call('apply', studio.folder, `--plan=${plan}`);
    assert.equal(code, 1);
    assert.match(stderr, /The plan is out of date/);
  });
});
