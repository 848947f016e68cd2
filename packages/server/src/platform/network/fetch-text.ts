import { requestPublic } from './public-request.ts';

export interface FetchedText {
  status: number;
  text: string;
}

/** The parts of a request that a plain GET does not have. */
export interface SentParts {
  headers: Record<string, string>;
  /** Is sent by POST. Without it, the request is a GET. */
  form?: URLSearchParams;
}

/**
 * Fetches a small text from a server that a user has named. Redirects are not followed.
 * @param options.max_bytes The most bytes that the answer may have.
 * @param options.signal Aborts the request; the caller sets the deadline.
 * @param options.parts Headers and a form to send.
 * @param options.allow_private True if the server may be in a private network, or on this machine.
 * @throws Error for everything that prevents a complete answer, including an address that is not public.
 */
export async function fetchText(
  url: URL,
  options: { max_bytes: number; signal: AbortSignal; allow_private: boolean; parts?: SentParts },
): Promise<FetchedText> {
  const { max_bytes, signal, allow_private, parts } = options;
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', ...parts?.headers };
  const answer = await requestPublic(url, {
    headers,
    signal,
    allow_private,
    ...(parts?.form && { method: 'POST', body: Buffer.from(parts.form.toString()) }),
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > max_bytes) throw new Error(`The answer has more than ${max_bytes} bytes`);
    chunks.push(chunk);
  }
  return { status: answer.statusCode!, text: Buffer.concat(chunks).toString() };
}
