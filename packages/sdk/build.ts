// `npm run build` writes the published files to `dist`: the modules, and the types of both formats.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSdk } from './bundle.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
await bundleSdk(dist);
const tsc = spawnSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--outDir', dist], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (tsc.status !== 0) throw new Error(`The types could not be written:\n${tsc.stdout}`);
// In declarations, compilers older than ours need imports that end in `.js`, not `.ts`.
for (const name of readdirSync(dist, { encoding: 'utf8', recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(dist, name);
  const types = readFileSync(path, 'utf8');
  const write = (end: string, extension: string) =>
    writeFileSync(
      path.replace(/\.d\.ts$/, end),
      types.replaceAll(/(from '\.[^']+)\.ts'/g, `$1${extension}'`),
    );
  write('.d.ts', '.js');
  write('.d.cts', '.cjs');
}
copyFileSync(join(root, '../../LICENSE'), join(dist, 'LICENSE'));
