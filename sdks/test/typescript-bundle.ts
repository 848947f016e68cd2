import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundleSdk } from '../../packages/sdk/bundle.ts';
import { makeTypescript } from './typescript.ts';

let bundling: Promise<string> | undefined;
const bundle = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'overworld-bundle-'));
  await bundleSdk(dir);
  return dir;
};
after(async () => bundling && rm(await bundling, { recursive: true }));

/** The TypeScript SDK as it is published: as a bundle in which private members have short names. */
export const bundledTypescript = makeTypescript('TypeScript, bundled', async () => {
  bundling ??= bundle();
  return import(pathToFileURL(join(await bundling, 'overworld.js')).href);
});
