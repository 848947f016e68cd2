import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { CliProcess } from '../packages/server/test/run-cli.ts';
import { checkout } from './container/image-settings.ts';

const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
const folder = await mkdtemp(join(tmpdir(), 'overworld-readme-'));
await chmod(folder, 0o755);
const DATA_DIR = join(folder, 'data');
let server: CliProcess;
let url: string;

/** Returns the block of shell commands that holds this text. */
function readBlock(text: string): string {
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
  const found = blocks.find((block) => block.includes(text));
  assert.ok(found, `README.md has no block with ${text}`);
  return found;
}

before(async () => {
  server = new CliProcess(['start'], { DATA_DIR, PORT: '0' });
  const [, address, setup_token] = await server.waitFor(
    /Next: open (http:\S+)\/register#setup=([\w-]+)/,
  );
  url = address!;
  // A person does this in the browser, at the end of "Start".
  const made = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: 'mira@studio.example',
      password: 'correct horse battery',
      setup_token,
    }),
  });
  assert.equal(made.status, 201);
});
after(async () => {
  server.child.kill('SIGTERM');
  await server.done;
  await rm(folder, { recursive: true, force: true });
});

/** Runs a block as somebody who pastes it, with `npx` that runs the programs of the checkout. */
function paste(block: string) {
  const { stdout, stderr, status } = spawnSync('bash', ['-c', block], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: [join(checkout, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      DATA_DIR,
    },
  });
  return { stdout, stderr, status };
}

const shapeOf = (line: string): unknown =>
  JSON.parse(line, (_key, value: unknown) =>
    typeof value === 'object' && value !== null ? value : typeof value,
  );

test('somebody who has done Start gets the answers of the session below it', () => {
  const block = readBlock('url=http://127.0.0.1:8080');
  const documented = [...block.matchAll(/^# (\{.*\})$/gm)].map(([, line]) => line!);
  assert.ok(documented.length > 10);
  const { stdout } = paste(block.replace('http://127.0.0.1:8080', url));
  const answers = stdout.replaceAll('}{', '}\n{').trim().split('\n');
  assert.deepEqual(answers.map(shapeOf), documented.map(shapeOf));
});

test('the most useful commands work as the README writes them', () => {
  const block = readBlock('npx overworld backup');
  const lines = block.trimEnd().split('\n');
  for (const line of lines.slice(0, 3)) {
    const { status, stderr } = paste(`npx() { "$@"; }; set -e; ${line}`);
    assert.equal(status, 0, `${line}\n${stderr}`);
  }
  for (const line of lines) {
    const [, name] = /overworld ([\w-]+)/.exec(line)!;
    assert.equal(paste(`overworld ${name} --help`).status, 0, line);
  }
});

test('git ignores the folders and files that the commands make', () => {
  for (const path of ['data/x', 'data-restored/x', 'monday.ndjson.gz']) {
    const ignored = spawnSync('git', ['check-ignore', '--quiet', path], { cwd: checkout });
    assert.equal(ignored.status, 0, path);
  }
  assert.match(readme, /^DATA_DIR=\.\/data-restored npx overworld restore/m);
  assert.doesNotMatch(readme, /<this repository>/);
});
