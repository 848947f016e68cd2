import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isPublicAddress } from './public-address.ts';

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
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allow_private && isIP(host) !== 0 && !isPublicAddress(host)) throw new NotPublic(host);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const settings: RequestOptions = {
      signal,
      // A connection of its own: a kept one could lead to an address that was checked for another name.
      agent: false,
      lookup: allow_private ? lookup : lookupPublic,
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    };
    request(url, settings, resolve)
      .on('error', reject)
      // After an answer of 101, Node closes the connection and reports neither answer nor error.
      .on('close', () => reject(new Error('The connection was closed without an answer')))
      .end();
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

class NotPublic extends Error {
  constructor(host: string) {
    super(`${host} is in a private network`);
  }
}

/**
 * Looks a name up and refuses addresses that are not public. The connection goes to the address that was
 * checked, so the name cannot change in between. It asks name servers by itself: the system's look-up takes
 * one of the four threads that also hash passwords, for as long as a name server is silent.
 */
const lookupPublic: LookupFunction = (host, { all }, callback) => {
  callbackify(resolvePublic)(host, (error: Error | null, addresses) => {
    if (error) return callback(error, []);
    // Node asks for all addresses, unless a caller has chosen a family.
    if (all === true) return callback(null, addresses);
    const [{ address, family }] = addresses as [LookupAddress];
    callback(null, address, family);
  });
};

async function resolvePublic(host: string): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  if (!addresses.every(isPublicAddress)) throw new NotPublic(host);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
