import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { S3Place } from '../src/platform/stores/store-place.ts';

const BUCKET = 'backups';
/** The only key that the server knows. */
const KEY = 'S3RVER';

/** A server of the S3 protocol with one bucket, in a folder. */
export interface S3Server {
  place: S3Place;
  /** The settings with which a server or a command uses the bucket. */
  env: Record<string, string>;
  /** Lists the names of all objects. */
  listObjects(): Promise<string[]>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startS3Server(prefix = 'studio/'): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'overworld-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const close = async () => {
    server.httpServer.closeAllConnections();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  };
  return {
    ...describePlace(port, prefix),
    async listObjects() {
      const names = await readdir(join(directory, BUCKET), { recursive: true });
      return names
        .filter((name) => name.endsWith('._S3rver_object') && !name.includes('_uploads'))
        .map((name) => name.replace('._S3rver_object', ''))
        .toSorted();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function describePlace(port: number, prefix: string): Pick<S3Server, 'place' | 'env'> {
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    place: {
      bucket: BUCKET,
      prefix,
      access: { endpoint, region: 'us-east-1', access_key_id: KEY, secret_access_key: KEY },
    },
    env: {
      BACKUP_TO: `s3://${BUCKET}/${prefix}`.replace(/\/$/, ''),
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
    },
  };
}

/** Answers a request instead of the server. @returns false to pass the request on. */
export type Interfere = (asked: IncomingMessage, answer: ServerResponse) => boolean;

/**
 * Starts a proxy in front of a server, which may answer some requests itself, and may change the bodies of
 * answers.
 */
export async function startFaultyS3(
  { place }: S3Server,
  {
    interfere = () => false,
    change = (_asked, body) => body,
  }: { interfere?: Interfere; change?: (asked: IncomingMessage, body: Buffer) => Buffer },
) {
  const { port } = new URL(place.access.endpoint);
  const proxy = createServer((asked, answer) => {
    if (interfere(asked, answer)) return;
    const { method, url, headers } = asked;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
      const chunks: Buffer[] = [];
      answered.on('data', (chunk: Buffer) => chunks.push(chunk));
      answered.on('end', () => {
        const body = change(asked, Buffer.concat(chunks));
        const { 'content-length': _, 'transfer-encoding': __, ...kept } = answered.headers;
        answer.writeHead(answered.statusCode!, { ...kept, 'content-length': body.length });
        answer.end(body);
      });
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const close = async () => {
    proxy.closeAllConnections();
    proxy.close();
    await once(proxy, 'close');
  };
  return {
    ...describePlace((proxy.address() as AddressInfo).port, place.prefix),
    close,
    [Symbol.asyncDispose]: close,
  };
}
