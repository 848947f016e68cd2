import { request } from 'node:http';
import type { Agent, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends a request over the connection of an agent. The operating system has chosen the worker of this
 * connection.
 */
export async function ask(
  url: string,
  path: string,
  {
    method = 'GET',
    agent,
    headers = {},
    body,
  }: { method?: string; agent?: Agent; headers?: OutgoingHttpHeaders; body?: unknown } = {},
): Promise<Answer> {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, {
      method,
      agent,
      headers: sent === undefined ? headers : { 'content-type': 'application/json', ...headers },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      text(incoming).then(
        (content) =>
          resolve({ status: incoming.statusCode!, headers: incoming.headers, text: content }),
        reject,
      );
    });
    outgoing.end(sent);
  });
}
