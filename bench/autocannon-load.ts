import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { Load } from './load.ts';
import { makeRequest } from './request-shape.ts';

/**
 * Sends the load that a file describes.
 * Usage: `npm exec --package=autocannon -c 'node autocannon-load.ts <file>'`
 */

interface Result {
  duration: number;
  errors: number;
  non2xx: number;
  requests: { total: number };
  latency: { p50: number; p99: number };
}

type Autocannon = (options: object) => PromiseLike<Result>;

/**
 * Loads autocannon from the packages that `npm exec` has fetched. npm adds the
 * folder `.bin` of these packages to PATH. The packages are beside that folder.
 */
function loadAutocannon(): Autocannon {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders.filter((name) => name.endsWith(join('node_modules', '.bin')))) {
    try {
      return createRequire(join(dirname(folder), 'x.js'))('autocannon') as Autocannon;
    } catch {
      continue;
    }
  }
  throw new Error('There is no autocannon in PATH.');
}

const {
  url,
  shape,
  connections,
  seconds,
  pause_ms = 0,
} = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Load;
const result = await loadAutocannon()({
  url,
  connections,
  duration: seconds,
  timeout: 30,
  ...(pause_ms > 0 ? { connectionRate: Math.ceil(1_000 / pause_ms) } : {}),
  requests: [{ setupRequest: (request: object) => ({ ...request, ...makeRequest(shape) }) }],
});
const numbers = [
  result.requests.total,
  result.duration * 1e6,
  result.latency.p50 * 1e3,
  result.latency.p99 * 1e3,
  result.errors + result.non2xx,
];
process.stdout.write(`result ${numbers.map(Math.round).join(' ')}\n`);
