import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The version of this release, such as `0.1.0`. The API returns it as `backendVersion`. */
export const RELEASE: string = (JSON.parse(manifest) as { version: string }).version;
