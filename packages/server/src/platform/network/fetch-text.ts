import { requestPublic } from './public-request.ts';

export interface FetchedText {
  status: number;
  text: string;
}

/**
 * Fetches a small text from a server that a user has named. Redirects are not followed.
 * @param options.max_bytes The most bytes that the answer may have.
 * @param options.signal Aborts the request; the caller sets the deadline.
 * @param options.allow_private True if the server may be in a private network, or on this machine.
 * @throws Error for everything that prevents a complete answer, including an address that is not public.
 */
export async function fetchText(
  url: URL,
  options: { max_bytes: number; signal: AbortSignal; allow_private: boolean },
): Promise<FetchedText> {
  const { max_bytes, signal, allow_private } = options;
  const headers = { accept: 'application/json', 'accept-encoding': 'identity' };
  const answer = await requestPublic(url, { headers, signal, allow_private });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > max_bytes) throw new Error(`The answer has more than ${max_bytes} bytes`);
    chunks.push(chunk);
  }
  return { status: answer.statusCode!, text: Buffer.concat(chunks).toString() };
}
