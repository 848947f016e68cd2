import { parseJsonText } from '../src/platform/json/parse-json.ts';

/** The answer to a request. */
export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, whose shape tests assert. Undefined when there is none. */
  // oxlint-disable-next-line no-explicit-any
  body: any;
}

export interface RequestOptions {
  /** API key. */
  key?: string;
  /** JWT of a dashboard account. */
  token?: string;
  /** Sent as JSON; a string or Buffer is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a real HTTP request to a complete URL. */
export async function sendRequest(
  method: string,
  url: string,
  { key, token, body, headers }: RequestOptions = {},
): Promise<TestAnswer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { 'x-game-api-key': key } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? parseJsonText(text) : undefined,
  };
}
