import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundleSdk } from '../../packages/sdk/bundle.ts';
import { engines } from './engines.ts';
import { testTranscripts } from './play-transcripts.ts';
import { makeTypescript } from './typescript.ts';

let bundling: Promise<string> | undefined;
const bundle = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'overworld-bundle-'));
  await bundleSdk(dir);
  return dir;
};
/** The TypeScript SDK as it is published: as a bundle in which private members have short names. */
const bundled = makeTypescript('TypeScript, bundled', async () => {
  bundling ??= bundle();
  return import(pathToFileURL(join(await bundling, 'overworld.js')).href);
});
after(async () => bundling && rm(await bundling, { recursive: true }));

for (const engine of [bundled, ...engines]) testTranscripts(engine);
