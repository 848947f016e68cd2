import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeRequest } from '../load/connection.ts';
import { readMemoryMb, watchMemory } from '../machine/memory.ts';
import type { Server } from '../machine/server.ts';
import type { Report } from '../suite.ts';

/** A client that sends text and waits until the connection ends. */
interface Conversation {
  /** All answers of the server so far. */
  said: string;
  /** Null while the connection is open. */
  ended_after_ms: number | null;
  socket: Socket;
}

/** A whole request must arrive within 30 s, and its headers within 10 s. The server checks both every 5 s. */
const BODY_CUT_MS = 36_000;
const HEADERS_CUT_MS = 16_000;
const BYTE_INTERVAL_MS = 500;
const SLOW_CLIENTS = 100;
const MEMORY_MB = 768;

/** Sends a request as another client does, and checks that the answer is as usual. */
type ExpectUsual = (during: string) => Promise<void>;

export interface BadClientsOptions {
  key: string;
  /** Number of connections that send nothing. */
  idle: number;
  /** The maximum time for which another client may wait for its answer during the attack. */
  usual_ms: number;
  /** True to wait until slow clients are cut off, which takes half a minute. */
  slow: boolean;
}

/**
 * Runs clients that break the rules or barely keep them. Each must be cut off, and no other client may
 * notice.
 */
export async function attackByBadClients(
  report: Report,
  server: Server,
  { key, idle, slow, usual_ms }: BadClientsOptions,
): Promise<void> {
  const { port } = server.settings;
  const expectUsual: ExpectUsual = (during) => holdUsual(report, server, { during, usual_ms });
  const memory = watchMemory(server.pid);
  await expectAnswers(report, port);
  await pipeline(report, server, expectUsual);
  await sendWithoutReading(report, server, expectUsual);
  if (slow) await sendSlowly(report, server, { key, expectUsual });
  await stayIdle(report, server, { idle, slow, expectUsual });
  const most_mb = memory.stop();
  report.figure('most memory with bad clients, MB', most_mb);
  if (most_mb > MEMORY_MB) report.violation(`bad clients made it take ${most_mb} MB`);
}

function open(port: number, text = ''): Conversation {
  const started = performance.now();
  const socket = connect(port, '127.0.0.1');
  const conversation: Conversation = { said: '', ended_after_ms: null, socket };
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => (conversation.said += chunk));
  socket.on('error', () => undefined);
  socket.on('close', () => (conversation.ended_after_ms = performance.now() - started));
  if (text !== '') socket.write(text);
  return conversation;
}

/** Sends broken and huge requests, and checks how the answer to each begins. */
async function expectAnswers(report: Report, port: number): Promise<void> {
  const host = 'host: x\r\n';
  const post = `POST /v1/auth/login HTTP/1.1\r\n${host}content-type: application/json\r\n`;
  const cases: [name: string, text: string, answer: RegExp][] = [
    ['a header of 1 MB', `GET / HTTP/1.1\r\n${host}x: ${'y'.repeat(1_000_000)}`, / 431 /],
    ['20,000 headers', `GET / HTTP/1.1\r\n${host}${'a: b\r\n'.repeat(20_000)}`, / 431 /],
    ['a path of 1 MB', `GET /${'y'.repeat(1_000_000)}`, / (414|431) /],
    ['a body of 1 GB', `${post}content-length: 1000000000\r\n\r\n{`, / 413 /],
    ['two lengths', `${post}content-length: 1\r\ncontent-length: 2\r\n\r\n{`, / 400 /],
    [
      'length and chunks',
      `${post}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      / 400 /,
    ],
    ['chunks without sense', `${post}transfer-encoding: chunked\r\n\r\nzz\r\n`, / 400 /],
    ['no HTTP', `${'\u0000\u0001binary'.repeat(100)}\r\n\r\n`, / 400 /],
  ];
  for (const [name, text, answer] of cases) {
    const client = open(port, text);
    const ended = await waitUntil(() => client.ended_after_ms !== null, 20_000);
    const [status = ''] = client.said.split('\r\n');
    if (!answer.test(status)) report.violation(`${name} was answered "${status}"`);
    if (!ended) report.violation(`${name} did not end its connection`);
    client.socket.destroy();
  }
  report.figure('kinds of broken and huge requests', cases.length);
}

/** Sends many requests in one piece. Only the first one must be answered, and the connection must close. */
async function pipeline(report: Report, server: Server, expectUsual: ExpectUsual): Promise<void> {
  for (const requests of [2, 10_000]) {
    const text = writeRequest({ method: 'GET', path: '/healthz' }).repeat(requests);
    const client = open(server.settings.port, text);
    if (!(await waitUntil(() => client.ended_after_ms !== null, 20_000))) {
      report.violation(`${requests} requests in one go did not end their connection`);
    }
    const answers = client.said.split('HTTP/1.1 200').length - 1;
    if (answers !== 1) {
      report.violation(`${answers} of ${requests} requests in one go were answered`);
    }
    client.socket.destroy();
  }
  await expectUsual('requests in one go');
}

/** Checks that answers do not pile up when clients do not read them. */
async function sendWithoutReading(
  report: Report,
  server: Server,
  expectUsual: ExpectUsual,
): Promise<void> {
  const before_mb = readMemoryMb(server.pid);
  const text = writeRequest({ method: 'GET', path: '/v1/openapi.json' });
  const clients = Array.from({ length: 500 }, () => {
    const client = open(server.settings.port, text);
    client.socket.pause();
    return client;
  });
  await sleep(1_000);
  await expectUsual('clients that do not read');
  report.figure(
    'memory more with 500 answers that nobody reads, MB',
    readMemoryMb(server.pid) - before_mb,
  );
  for (const { socket } of clients) socket.destroy();
}

/** Sends headers and bodies one byte at a time. */
async function sendSlowly(
  report: Report,
  server: Server,
  { key, expectUsual }: { key: string; expectUsual: ExpectUsual },
): Promise<void> {
  const head = `POST /v1/track HTTP/1.1\r\nhost: x\r\nx-game-api-key: ${key}\r\n`;
  const body = `${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n[`;
  const port = server.settings.port;
  const slow_headers = Array.from({ length: SLOW_CLIENTS }, () =>
    open(port, 'GET / HTTP/1.1\r\nx: '),
  );
  const slow_bodies = Array.from({ length: SLOW_CLIENTS }, () => open(port, body));
  const all = [...slow_headers, ...slow_bodies];
  const timer = setInterval(() => {
    for (const { socket } of all) if (!socket.destroyed) socket.write(' ');
  }, BYTE_INTERVAL_MS);
  await expectUsual('slow clients');
  await waitUntil(() => all.every(({ ended_after_ms }) => ended_after_ms !== null), BODY_CUT_MS);
  clearInterval(timer);
  for (const [name, clients, limit_ms] of [
    ['headers', slow_headers, HEADERS_CUT_MS],
    ['bodies', slow_bodies, BODY_CUT_MS],
  ] as const) {
    const longest_ms = Math.max(...clients.map((client) => client.ended_after_ms ?? Infinity));
    report.figure(`slow ${name} were cut off after at most, s`, Math.round(longest_ms / 1_000));
    if (longest_ms > limit_ms) report.violation(`slow ${name} were not cut off in time`);
    const told = clients.filter(({ said }) => said.startsWith('HTTP/1.1 408'));
    if (told.length < clients.length) report.violation(`slow ${name} were cut off without a 408`);
    for (const { socket } of clients) socket.destroy();
  }
}

/** Checks that connections that send nothing cost little, and end by themselves. */
async function stayIdle(
  report: Report,
  server: Server,
  { idle, slow, expectUsual }: { idle: number; slow: boolean; expectUsual: ExpectUsual },
): Promise<void> {
  const before_mb = readMemoryMb(server.pid);
  const clients: Conversation[] = [];
  for (let number = 0; number < idle; number++) {
    clients.push(open(server.settings.port));
    if (number % 500 === 0) await sleep(20);
  }
  await waitUntil(() => clients.every(({ socket }) => !socket.connecting), 10_000);
  await expectUsual('idle connections');
  report.figure('idle connections', idle);
  report.figure('  memory more with them, MB', readMemoryMb(server.pid) - before_mb);
  if (slow) {
    const areCut = () => clients.every(({ ended_after_ms }) => ended_after_ms !== null);
    if (!(await waitUntil(areCut, HEADERS_CUT_MS + 10_000))) {
      report.violation('idle connections were not cut off');
    }
    await expectUsual('idle connections that were cut off');
  }
  for (const { socket } of clients) socket.destroy();
}

async function holdUsual(
  report: Report,
  server: Server,
  { during, usual_ms }: { during: string; usual_ms: number },
): Promise<void> {
  const started = performance.now();
  const response = await fetch(`${server.url}/readyz`);
  await response.arrayBuffer();
  const took_ms = performance.now() - started;
  if (response.status !== 200 || took_ms > usual_ms) {
    report.violation(`with ${during} others were answered ${response.status} in ${took_ms} ms`);
  }
}

async function waitUntil(holds: () => boolean, patience_ms: number): Promise<boolean> {
  const deadline = performance.now() + patience_ms;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
