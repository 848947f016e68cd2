import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { gzip } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

// The package offers its browser script (4 MB) only through a plugin that serves it.
const app = Fastify();
await app.register(plugin, { routePrefix: '/', configuration: { url: '/' } });
const { statusCode, rawPayload } = await app.inject('/js/scalar.js');
if (statusCode !== 200) throw new Error(`The script of the API reference answers ${statusCode}`);
// The port of a worker takes no target origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(await promisify(gzip)(rawPayload));
