import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '../../../../test/wait-until.ts';

/** A message as it arrived. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body. The tests assert its shape. */
  // oxlint-disable-next-line no-explicit-any
  body: any;
}

type Answer = (response: ServerResponse, received: Received) => void;

/** A real receiver of webhooks, on this machine. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The function that answers the next messages. */
  answer: Answer;
  /** Waits until the receiver has got `count` messages. */
  waitFor(count: number): Promise<Received[]>;
  close(): void;
}

/** Starts a receiver that accepts every message, until `answer` is set. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    readText(request).then(
      (text) => {
        const { url: path = '', headers } = request;
        const got = { path, headers, text, body: JSON.parse(text) as unknown };
        receiver.received.push(got);
        receiver.answer(response, got);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (response) => void response.end('taken'),
    async waitFor(count) {
      await waitUntil(`${count} messages have come`, async () => receiver.received.length >= count);
      return receiver.received;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Tells whether the message has a valid signature with this secret, by the rules of Standard Webhooks. */
export function isSignedBy(secret: string, { headers, text }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
