import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createLatencies } from '../load/latencies.ts';
import { createRandom } from '../random.ts';
import { makeRequests } from './requests.ts';

/**
 * A process that sends requests at a given rate, as players do, whether or not they are answered. The clock
 * decides when to send, and each request takes a free connection. The process never waits for Retry-After.
 */

export interface Orders {
  port: number;
  key: string;
  connections: number;
  seconds: number;
  /**
   * Requests a second. If it is 0, each connection sends
   * its next request as soon as the last one is answered.
   */
  rate: number;
  seed: number;
}

export interface Findings {
  /** Requests that were due by the clock. */
  offered: number;
  sent: number;
  accepted: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  without_retry_after: number;
  /** Connections that ended before their answer. */
  cut: number;
  accepted_p50_ms: number;
  accepted_p99_ms: number;
  refused_p99_ms: number;
}

interface Client {
  socket: Socket | null;
  sent_at: number;
  received: string;
}

const TICK_MS = 5;
const CONNECT_INTERVAL_MS = 0.5;
/** The time for which the generator waits for outstanding answers at the end. */
const PATIENCE_MS = 20_000;

function generate(orders: Orders): Promise<Findings> {
  const { port, key, connections, seconds, rate } = orders;
  const random = createRandom(orders.seed);
  const requests = makeRequests(random, key);
  const accepted = createLatencies();
  const refused = createLatencies();
  const statuses: Record<string, number> = {};
  let [offered, sent, without_retry_after, cut, under_way] = [0, 0, 0, 0, 0];
  const free: Client[] = [];
  /** The start of the clock; null until each connection has had an answer. */
  let started: number | null = null;
  const elapsed_ms = () => (started === null ? 0 : performance.now() - started);
  const isOver = () => elapsed_ms() > seconds * 1_000;

  const send = (client: Client) => {
    client.sent_at = performance.now();
    if (started !== null) sent += 1;
    under_way += 1;
    client.socket!.write(random.pick(requests));
  };
  const release = (client: Client) => {
    if (rate === 0 && started !== null && !isOver()) send(client);
    else free.push(client);
  };
  const read = (client: Client, text: string) => {
    client.received += text;
    const head_end = client.received.indexOf('\r\n\r\n');
    if (head_end === -1) return;
    const head = client.received.slice(0, head_end).toLowerCase();
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (client.received.length < head_end + 4 + length) return;
    client.received = '';
    under_way -= 1;
    if (started === null) return greet(client);
    const status = head.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const took_ms = performance.now() - client.sent_at;
    if (status.startsWith('2')) accepted.add(took_ms);
    else refused.add(took_ms);
    if (/429|503/.test(status) && !head.includes('\r\nretry-after: ')) without_retry_after += 1;
    client.sent_at = 0;
    if (!head.includes('\r\nconnection: close')) return release(client);
    client.socket!.destroy();
  };
  const greet = (client: Client) => {
    client.sent_at = 0;
    free.push(client);
    if (free.length < connections) return;
    started = performance.now();
    if (rate === 0) for (const one of free.splice(0)) send(one);
  };
  const open = (client: Client) => {
    const socket = connect(port, '127.0.0.1', () => {
      client.socket = socket;
      if (started === null) send(client);
      else release(client);
    });
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => read(client, text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (client.sent_at > 0) {
        cut += 1;
        under_way -= 1;
      }
      const place = free.indexOf(client);
      if (place >= 0) free.splice(place, 1);
      Object.assign(client, { socket: null, sent_at: 0, received: '' });
      if (!isOver()) setTimeout(open, 50, client);
    });
  };
  const clients = Array.from({ length: connections }, (): Client => ({
    socket: null,
    sent_at: 0,
    received: '',
  }));
  clients.forEach((client, index) => setTimeout(open, index * CONNECT_INTERVAL_MS, client));

  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (started === null) return;
      if (isOver()) {
        if (under_way > 0 && elapsed_ms() < seconds * 1_000 + PATIENCE_MS) return;
        clearInterval(timer);
        for (const { socket } of clients) socket?.destroy();
        return resolve({
          offered: rate === 0 ? sent : offered,
          sent,
          accepted: accepted.count,
          statuses,
          without_retry_after,
          cut: cut + under_way,
          accepted_p50_ms: accepted.percentile(0.5),
          accepted_p99_ms: accepted.percentile(0.99),
          refused_p99_ms: refused.percentile(0.99),
        });
      }
      const due = Math.floor((elapsed_ms() / 1_000) * rate);
      // A request that finds no free connection is dropped, because
      // its player would have left before a connection is free.
      for (; offered < due; offered++) {
        const client = free.shift();
        if (client !== undefined) send(client);
        else break;
      }
      offered = due;
    }, TICK_MS);
  });
}

process.once('message', (orders: Orders) => {
  void generate(orders).then((findings) => process.send!(findings, () => process.exit()));
});
