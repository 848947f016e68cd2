import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';

/**
 * Writes the bytes of an answer to the socket of a request. The first request to the server has `number` 1.
 */
type Answer = (socket: Socket, number: number) => unknown;

/** Makes an HTTP answer that states its length, so the connection can stay open after it. */
export const reply = (body: string, status = '200 OK', headers: string[] = []) =>
  [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join(
    '\r\n',
  );

/**
 * Starts a server that counts connections and requests, and calls
 * `answer` for each request. Requests must not have a body.
 */
export async function startRawServer(t: TestContext, answer: Answer, tls?: Certificate) {
  const sockets = new Set<Socket>();
  const counts = { connections: 0, requests: 0, most_open: 0 };
  const serve = (socket: Socket) => {
    counts.connections++;
    sockets.add(socket);
    counts.most_open = Math.max(counts.most_open, sockets.size);
    let head = '';
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString();
      if (!head.endsWith('\r\n\r\n')) return;
      head = '';
      answer(socket, ++counts.requests);
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  const url = `${tls ? 'https' : 'http'}://localhost:${port}`;
  return { url, counts, closeAll: () => sockets.forEach((socket) => socket.end()) };
}

interface Certificate {
  key: string;
  cert: string;
}

/** Makes a self-signed certificate for a host. */
export async function makeCertificate(host: string): Promise<Certificate> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${host}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  const base64 = Buffer.from(key).toString('base64');
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`,
    cert: certificate.toString('pem'),
  };
}
