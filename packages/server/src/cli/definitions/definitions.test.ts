import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
  'segments/whales.json': '{ "key": "Whales", "query": "has_tags=whale" }\n',
};

suite('the game as files', () => {
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
    const call = (name: string, at = folder, ...more: string[]) =>
      callCli([name, at, ...more], {
        OVERWORLD_URL: server.url,
        OVERWORLD_GAME: game_id,
        OVERWORLD_TOKEN: token,
      });
    return {
      folder,
      call,
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

    const pulled = join(first.folder, 'pulled');
    assert.equal((await first.call('pull', pulled)).code, 0);
    const second = await makeStudio(t);
    assert.equal((await second.apply(pulled)).code, 0);
    const again = join(second.folder, 'again');
    assert.equal((await second.call('pull', again)).code, 0);
    const files = await readAll(again);
    assert.deepEqual(files, await readAll(pulled));
    assert.equal(Object.keys(files).length, 6);
    assert.match(files['remote-config/production.yaml']!, /value: 9007199254740993\n/);
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

  test('mistakes are named by file and line, and nothing is changed', async (t) => {
    const studio = await makeStudio(t);
    const mistakes: [string, RegExp][] = [
      ['key: a\nname: A\npoints: many\n', /achievements\/a\.yaml:3: points must be a whole number/],
      ['key: a\nname: A\n\npionts: 1\n', /achievements\/a\.yaml:4: pionts is not allowed/],
      ['key: a\nname: A\nname: B\n', /achievements\/a\.yaml:3: Map keys must be unique/],
      ['- key\n', /achievements\/a\.yaml:1: the file must have members/],
      ['name: A\n', /achievements\/a\.yaml:1: key must be a string/],
      ['key: a\nname: &n A\ndescription: *n\n', /achievements\/a\.yaml:1: aliases are not allowed/],
    ];
    for (const [text, expected] of mistakes) {
      await write(studio.folder, { 'achievements/a.yaml': text });
      const { code, stderr } = await studio.call('plan');
      assert.equal(code, 1);
      assert.match(stderr, expected);
    }
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
