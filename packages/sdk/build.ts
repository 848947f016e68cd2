// `npm run build` writes the published files to `dist`: one minified module for each entry, and the types.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
await build({
  cwd: root,
  input: { overworld: 'src/overworld.ts', 'file-store': 'src/stores/file-store.ts' },
  external: /^node:/,
  platform: 'neutral',
  // The browsers of the last four years and Hermes run this.
  transform: { target: 'es2022' },
  output: { dir: dist, minify: true, sourcemap: true },
});
const tsc = spawnSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--outDir', dist], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (tsc.status !== 0) throw new Error(`The types could not be written:\n${tsc.stdout}`);
// Older compilers than ours expect `.js` beside a declaration.
for (const name of readdirSync(dist, { encoding: 'utf8', recursive: true })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(dist, name);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'"));
}
copyFileSync(join(root, '../../LICENSE'), join(dist, 'LICENSE'));
