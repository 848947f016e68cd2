import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';

/**
 * Runs the workflows of docs/game-as-files.md by bash, step by step as the machines of GitHub and GitLab do. Only
 * their own parts are replaced: the checkout, and the values that one job hands to the next.
 */

const DOCS = new URL('../../../../../docs/game-as-files.md', import.meta.url);
const COMMAND = fileURLToPath(new URL('../../../bin/overworld', import.meta.url));
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const FIRST = 'key: first_blood\nname: First blood\npoints: 10\n';

type Values = Record<string, string>;

interface Run {
  code: number;
  output: string;
}

/** A workflow of the docs, on a copy of a repository. */
interface Workflow {
  /** Makes the plan of a merge request or of a push, and notes its id. */
  plan(repository: string): Promise<Run & { plan: string }>;
  /** Applies it. @returns null if the job does not run. */
  apply(repository: string, plan: string): Promise<Run | null>;
}

interface GithubWorkflow {
  env: Values;
  jobs: Record<'plan' | 'apply', GithubJob>;
}

interface GithubJob {
  if?: string;
  environment?: string;
  steps: { id?: string; run?: string; env?: Values }[];
}

interface GitlabWorkflow {
  variables: Values;
  stages: string[];
  default: { before_script: string[] };
  plan: GitlabJob & { artifacts: { reports: { dotenv: string } } };
  apply: GitlabJob;
}

interface GitlabJob {
  script: string[];
  environment?: string;
  rules: { if: string; when?: string }[];
}

/** The access token of each job. */
type Tokens = Record<'plan' | 'apply', string>;

let server: TestServer;
let root: string;
let release: { url: string; sum: string };
let blocks: (GithubWorkflow | GitlabWorkflow)[];
const files = createServer(
  (_, answer) => void readFile(join(root, 'release.tar.gz')).then((it) => answer.end(it)),
);

before(async () => {
  server = await startTestServer();
  root = await mkdtemp(join(tmpdir(), 'overworld-workflows-'));
  const unpacked = join(root, 'overworld-0.1.0');
  await mkdir(unpacked);
  const launcher = join(unpacked, 'overworld');
  await writeFile(launcher, `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  await chmod(launcher, 0o755);
  const packed = spawnSync('tar', ['czf', 'release.tar.gz', 'overworld-0.1.0'], { cwd: root });
  assert.equal(packed.status, 0);
  const sum = createHash('sha256').update(await readFile(join(root, 'release.tar.gz')));
  await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve));
  const { port } = files.address() as AddressInfo;
  release = { url: `http://127.0.0.1:${port}/release.tar.gz`, sum: sum.digest('hex') };
  const guide = await readFile(DOCS, 'utf8');
  blocks = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, text]) => parse(text!));
});
after(async () => {
  files.close();
  await server.close();
  await rm(root, { recursive: true, force: true });
});

const runFile = promisify(execFile);

async function bash(flags: string[], script: string, cwd: string, env: Values): Promise<Run> {
  try {
    const { stdout, stderr } = await runFile('bash', ['--norc', ...flags, '-c', script], {
      cwd,
      env,
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

/** A machine starts each job with a new checkout. */
const checkOut = async (repository: string): Promise<string> => {
  const folder = await mkdtemp(join(root, 'checkout-'));
  await cp(repository, folder, { recursive: true });
  return folder;
};

function github(settings: Values, tokens: Tokens): Workflow {
  const { env, jobs } = blocks.find((it) => 'jobs' in it)!;
  const fill = (text: string, known: Values): string =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, name: string) => {
      assert.ok(name in known, `no value for ${name}`);
      return known[name]!;
    });
  const run = async (repository: string, job: GithubJob, known: Values) => {
    const cwd = await checkOut(repository);
    const notes = {
      output: join(cwd, '../output'),
      path: join(cwd, '../path'),
      summary: join(cwd, '../summary'),
    };
    for (const file of Object.values(notes)) await writeFile(file, '');
    let output = '';
    for (const step of job.steps) {
      if (step.run === undefined) continue;
      assert.doesNotMatch(step.run, /\$\{\{/, 'a value in a script would be run as code');
      const path = [
        ...(await readFile(notes.path, 'utf8')).split('\n').filter(Boolean),
        process.env.PATH,
      ];
      const filled = Object.entries(step.env ?? {}).map(([name, value]) => [
        name,
        fill(value, known),
      ]);
      const ended = await bash(['-e'], step.run, cwd, {
        ...env,
        ...settings,
        ...Object.fromEntries(filled),
        PATH: path.join(':'),
        GITHUB_SHA: COMMIT,
        GITHUB_OUTPUT: notes.output,
        GITHUB_PATH: notes.path,
        GITHUB_STEP_SUMMARY: notes.summary,
      });
      output += ended.output;
      if (ended.code !== 0) return { code: ended.code, output, outputs: '' };
    }
    output += await readFile(notes.summary, 'utf8');
    return { code: 0, output, outputs: await readFile(notes.output, 'utf8') };
  };
  const secretsOf = (job: keyof Tokens) => ({ 'secrets.OVERWORLD_TOKEN': tokens[job] });
  return {
    async plan(repository) {
      const { outputs, ...ended } = await run(repository, jobs.plan, secretsOf('plan'));
      return { ...ended, plan: /^plan=(.*)$/m.exec(outputs)?.[1] ?? '' };
    },
    async apply(repository, plan) {
      assert.equal(jobs.apply.environment, 'production');
      assert.equal(jobs.apply.if, "github.event_name == 'push' && needs.plan.outputs.plan != ''");
      if (plan === '') return null;
      return run(repository, jobs.apply, {
        ...secretsOf('apply'),
        'needs.plan.outputs.plan': plan,
      });
    },
  };
}

function gitlab(settings: Values, tokens: Tokens): Workflow {
  const workflow = blocks.find((it) => 'stages' in it)!;
  const run = async (repository: string, name: 'plan' | 'apply', known: Values) => {
    const cwd = await checkOut(repository);
    const lines = [...workflow.default.before_script, ...workflow[name].script];
    const ended = await bash(['-eo', 'pipefail'], lines.join('\n'), cwd, {
      ...workflow.variables,
      ...settings,
      ...known,
      PATH: process.env.PATH!,
      CI_COMMIT_SHA: COMMIT,
      OVERWORLD_TOKEN: tokens[name],
    });
    return { ...ended, cwd };
  };
  return {
    async plan(repository) {
      const { cwd, ...ended } = await run(repository, 'plan', {});
      const file = workflow.plan.artifacts.reports.dotenv;
      const handed = ended.code === 0 ? await readFile(join(cwd, file), 'utf8') : '';
      return { ...ended, plan: /^PLAN=(.*)$/m.exec(handed)?.[1] ?? '' };
    },
    async apply(repository, plan) {
      const { rules, environment } = workflow.apply;
      assert.equal(environment, 'production');
      assert.deepEqual(
        rules.map(({ when }) => when),
        ['manual'],
      );
      return run(repository, 'apply', { PLAN: plan });
    },
  };
}

for (const [name, open] of Object.entries({ GitHub: github, GitLab: gitlab })) {
  test(`the workflow for ${name} applies the plan that it has shown, or nothing`, async () => {
    const { game_id } = await server.makeGame();
    const { token } = await server.makeAccount({ game_id, role: 'developer' });
    const settings = { OVERWORLD_URL: server.url, OVERWORLD_GAME: game_id };
    const with_release = { RELEASE: release.url, RELEASE_SHA256: release.sum };
    const viewer = await server.makeAccount({ game_id, role: 'viewer' });
    const tokens = { plan: viewer.token, apply: token };
    const workflow = open({ ...settings, ...with_release }, tokens);
    const request = async (method: string, path: string, body?: unknown) =>
      (await server.request(method, `/v1/games/${game_id}${path}`, { token, body })).body;
    const readGame = async () => (await request('GET', '/definitions')).digest as string;
    const repository = await mkdtemp(join(root, 'repository-'));
    const file = join(repository, 'game/achievements/first.yaml');
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, FIRST);

    const empty = await readGame();
    const planned = await workflow.plan(repository);
    assert.equal(planned.code, 0, planned.output);
    assert.match(planned.output, /\+ achievement "first_blood"\n {4,}name: "First blood"/);
    assert.match(planned.plan, /^[0-9a-f]{64}$/);
    assert.equal(await readGame(), empty, 'a plan changes nothing');
    const applied = await workflow.apply(repository, planned.plan);
    assert.equal(applied?.code, 0, applied?.output);
    const [entry] = (await request('GET', '/audit-log')).audit_log;
    assert.equal(entry.action, 'apply_definitions');
    assert.equal(entry.details.commit, COMMIT);

    const made = await readGame();
    const same = await workflow.plan(repository);
    assert.equal(same.code, 0, same.output);
    assert.match(same.output, /No changes\./);
    assert.equal(same.plan, '');
    assert.equal((await workflow.apply(repository, same.plan))?.code ?? 0, 0);
    assert.equal(await readGame(), made);

    await writeFile(file, FIRST.replace('10', '20'));
    const old = await workflow.plan(repository);
    assert.equal(old.code, 0, old.output);
    await request('POST', '/achievements', { key: 'second', name: 'By a click' });
    const clicked = await readGame();
    const refused = await workflow.apply(repository, old.plan);
    assert.equal(refused?.code, 1);
    assert.match(refused!.output, /The plan is out of date/);
    assert.equal(await readGame(), clicked);

    await writeFile(file, FIRST.replace('10', 'many'));
    const wrong = await workflow.plan(repository);
    assert.deepEqual([wrong.code, wrong.plan], [1, '']);
    assert.match(wrong.output, /achievements\/first\.yaml:3: /);
    const other = open({ ...settings, ...with_release, RELEASE_SHA256: '0'.repeat(64) }, tokens);
    const forged = await other.plan(repository);
    assert.notEqual(forged.code, 0);
    assert.doesNotMatch(forged.output, /achievements/, 'another release is not run');
  });
}
