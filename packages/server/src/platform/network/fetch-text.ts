import { requestPublic } from './public-request.ts';

export interface FetchedText {
  status: number;
  text: string;
}

/**
 * Reads a small text from a server that somebody else has named. It follows no redirect.
 * @param options.max_bytes Bytes of the answer, after which it is given up.
 * @param options.signal Ends the request; the caller sets its deadline.
 * @param options.allow_private Whether the server may be in a private network, or on this machine.
 * @throws an Error for everything that prevents a whole answer, also for an address that is not public.
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
