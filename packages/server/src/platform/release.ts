import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** This release's version, such as `0.1.0`; the API gives it as `backendVersion`. */
export const RELEASE: string = (JSON.parse(manifest) as { version: string }).version;
