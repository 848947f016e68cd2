// `npm run build`: the package as it is published, in `dist` or the folder given: one minified module
// for each entry, and their types.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

rmSync(dist, { recursive: true, force: true });
await build({
  cwd: root,
  input: { overworld: 'src/overworld.ts', 'file-store': 'src/file-store.ts' },
  external: /^node:/,
  platform: 'neutral',
  // What the browsers of the last five years and Hermes run.
  transform: { target: 'es2022' },
  output: { dir: dist, minify: true, sourcemap: true },
});
const { status, stdout } = spawnSync(
  'tsc',
  ['-p', join(root, 'tsconfig.build.json'), '--outDir', dist],
  {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  },
);
if (status !== 0) throw new Error(`The types could not be written:\n${stdout}`);
// Older compilers than ours look for `.js` beside a declaration.
for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
  const path = join(dist, name);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.\/[^']+)\.ts'/g, "$1.js'"));
}
