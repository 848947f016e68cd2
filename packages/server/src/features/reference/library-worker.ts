import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { gzip } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';

interface Route {
  url: string;
  handler: (request: null, reply: object) => unknown;
}

// The package offers its browser script (4 MB) only through a plugin that adds routes to Fastify. These few
// functions take the script from its route, so that nobody installs Fastify.
const routes: Route[] = [];
const reply = { header: () => reply, send: (body: unknown) => body };
const app = { route: (route: Route) => routes.push(route) };
plugin(app as never, { routePrefix: '/', configuration: { url: '/' } }, () => {});
const script = routes.find(({ url }) => url === '/js/scalar.js')?.handler(null, reply);
if (typeof script !== 'string') throw new Error('The API reference has no script');
// The port of a worker takes no target origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort!.postMessage(await promisify(gzip)(script));
