import type { IncomingMessage } from 'node:http';

/** Tells whether a client accepts answers in this encoding. With `q=0` a client names one that it refuses. */
export function acceptsEncoding(
  { headers }: Pick<IncomingMessage, 'headers'>,
  encoding: 'br' | 'gzip',
): boolean {
  const named = new RegExp(
    `(?<![\\w-])${encoding}(?![\\w-])(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`,
    'i',
  );
  return named.test(headers['accept-encoding'] ?? '');
}
