import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endAtExit } from '../machine/endings.ts';
import { readMemoryMb, watchMemory } from '../machine/memory.ts';
import type { Server } from '../machine/server.ts';
import type { Report } from '../suite.ts';
import type { Findings, Orders } from './generator.ts';

const GENERATOR = fileURLToPath(new URL('generator.ts', import.meta.url));
const CAPACITY_CONNECTIONS = 64;
const OVERLOAD = 10;

/**
 * The longest times that the server may take under overload.
 * On a busy machine, only the limit of memory applies.
 */
export const FLOOD_BARS = { accepted_p99_ms: 1_000, recovery_ms: 5_000 };
const MEMORY_MB = 768;
/** The time within which an idle server answers. */
const USUAL_ANSWER_MS = 250;

export interface FloodOptions {
  key: string;
  seconds: number;
  /** The most clients that wait for an answer at once. */
  connections: number;
  seed: number;
  bars: { accepted_p99_ms: number; recovery_ms: number };
}

/** Sends ten times the requests that the server can answer. */
export async function attackByFlood(
  report: Report,
  server: Server,
  { key, seconds, connections, seed, bars }: FloodOptions,
): Promise<void> {
  const { port } = server.settings;
  const orders = { port, key, seed, rate: 0, connections: CAPACITY_CONNECTIONS };
  // A warm-up: during the first requests, V8 compiles the server's code.
  await generate({ ...orders, seconds: Math.min(5, seconds / 2) });
  const capacity_seconds = Math.min(10, seconds / 2);
  const usual = await generate({ ...orders, seconds: capacity_seconds });
  const capacity = Math.round(usual.accepted / capacity_seconds);
  report.figure('requests a second that it can answer (64 clients)', capacity);
  report.figure('  p99 of them, ms', usual.accepted_p99_ms);
  report.figure('memory before, MB', readMemoryMb(server.pid));

  const memory = watchMemory(server.pid);
  const flood = await generate({
    ...orders,
    seconds,
    connections,
    rate: capacity * OVERLOAD,
  });
  const recovery_ms = await measureRecovery(server, key);
  const most_mb = memory.stop();
  const a_second = (count: number) => Math.round(count / seconds);
  report.figure('requests a second offered', a_second(flood.offered));
  report.figure(`  sent by free ones of ${connections} connections`, a_second(flood.sent));
  report.figure('  accepted', a_second(flood.accepted));
  for (const [status, count] of Object.entries(flood.statuses)) {
    report.figure(`  answered ${status}`, a_second(count));
  }
  report.figure('p50 of accepted ones, ms', flood.accepted_p50_ms);
  report.figure('p99 of accepted ones, ms', flood.accepted_p99_ms);
  report.figure('p99 of refused ones, ms', flood.refused_p99_ms);
  report.figure('most memory, MB', most_mb);
  report.figure('usual again after, ms', Math.round(recovery_ms));

  for (const status of Object.keys(flood.statuses)) {
    if (!/^(2..|429|503)$/.test(status)) report.violation(`a flood was answered ${status}`);
  }
  if (flood.without_retry_after > 0) {
    report.violation(`${flood.without_retry_after} answers 429 or 503 had no Retry-After`);
  }
  if (flood.cut > 0) report.violation(`${flood.cut} requests of a flood got no answer`);
  if (flood.accepted_p99_ms > bars.accepted_p99_ms) {
    report.violation(`the p99 of accepted requests was ${flood.accepted_p99_ms} ms`);
  }
  if (recovery_ms > bars.recovery_ms) report.violation(`usual again only after ${recovery_ms} ms`);
  if (most_mb > MEMORY_MB) report.violation(`it took ${most_mb} MB`);
}

function generate(orders: Orders): Promise<Findings> {
  const child = fork(GENERATOR);
  const forget = endAtExit(() => child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    child.on('message', (findings) => resolve(findings as Findings));
    child.on('exit', (code) => {
      forget();
      reject(new Error(`The generator ended with ${code}`));
    });
    child.send(orders);
  });
}

/**
 * Measures the milliseconds until the server is as fast as usual again. That is the start of the first whole
 * second in which every request gets its answer within the usual time.
 */
async function measureRecovery({ url }: Server, key: string): Promise<number> {
  const started = performance.now();
  let usual_since = started;
  for (;;) {
    const sent_at = performance.now();
    const response = await fetch(`${url}/v1/identify`, {
      method: 'POST',
      headers: { 'x-game-api-key': key, 'content-type': 'application/json' },
      body: '{"player_id":"p-1","properties":{}}',
    });
    await response.arrayBuffer();
    const now = performance.now();
    if (response.status !== 200 || now - sent_at > USUAL_ANSWER_MS) usual_since = now;
    if (now - usual_since > 1_000) return usual_since - started;
    if (now - started > 60_000) return now - started;
    await sleep(25);
  }
}
