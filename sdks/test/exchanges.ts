import type { Exchange } from './transcript.ts';

/** An event of player `p-1`, in the form in which an SDK sends it. `session` is any name for its session. */
export const event = (
  event_name: string,
  session: string,
  properties: object | undefined = event_name === 'session_start'
    ? { platform: '{platform}' }
    : undefined,
) => ({
  event_name,
  session_id: `{${session}}`,
  player_id: 'p-1',
  ...(properties ? { properties } : {}),
  client_timestamp: '{time}',
});

/** A request with events. `key` is the name of a placeholder for its Idempotency-Key. */
export const track = (key: string, body: object[], answer: Exchange['answer']): Exchange => ({
  request: {
    method: 'POST',
    path: '/v1/track',
    headers: { 'idempotency-key': `{${key}}` },
    body,
  },
  answer,
});

export const accept = (key: string, ...body: object[]): Exchange =>
  track(key, body, {
    status: 202,
    body: { received: body.length, quota: { remaining: 9, limit: 10 } },
  });

/**
 * The request for the server's time, with its answer. A game that does not know this time sends the request
 * before its first batch.
 */
export const askForTime = (headers?: { date: string }): Exchange => ({
  request: { method: 'GET', path: '/v1/config' },
  answer: { status: 200, headers, body: { config: {}, version: 0 } },
});
