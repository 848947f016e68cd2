import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Place } from './store-place.ts';
import { StoreError } from './store-error.ts';

/** A refusal of the server. */
export class S3Refusal extends StoreError {
  /** The code of the protocol, such as `NoSuchKey`; empty if the answer has none. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The name of the object; empty for the bucket. */
  key: string;
  query?: Record<string, string>;
  body?: Buffer | string;
  /** True for the request that sends a part, or puts parts together: it has four times as long. */
  is_long?: boolean;
  tries?: number;
}

const LONG_TIMES = 4;
const MAX_REFUSAL_CHARACTERS = 200;

/** Waits in milliseconds. */
export interface S3Waits {
  /** The longest time until an answer begins. A part of 16 MB has four times as long: 140 kB a second. */
  timeout_ms?: number;
  tries?: number;
  /** The wait after the first failed try. It doubles with each one. */
  retry_ms?: number;
  /** A download that brings nothing for this time is cut off. */
  stall_ms?: number;
}

export interface S3ClientOptions extends S3Waits {
  /** The setting that names the bucket, for sentences. */
  setting?: string;
}

/** Makes a client for one bucket. Requests that fail in passing are tried again. */
export function createS3Client({ bucket, access }: S3Place, options: S3ClientOptions = {}) {
  const { timeout_ms = 30_000, tries = 5, retry_ms = 500, stall_ms = 60_000 } = options;
  const { setting = 'BACKUP_TO' } = options;
  const { endpoint, region, access_key_id, secret_access_key } = access;
  const { host } = new URL(endpoint);
  const client = new AwsClient({
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    region,
    service: 's3',
  });

  const tryOnce = async (request: S3Request, cut_off: AbortController): Promise<Response> => {
    const { method, key, query = {}, body } = request;
    const url = new URL(`${endpoint}/${bucket}${key === '' ? '' : `/${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // The server compares the body with the hash, so that a part that was damaged on its way is refused.
    const sha256 = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = await client.sign(url, {
      method,
      body,
      headers: { 'x-amz-content-sha256': sha256 },
      redirect: 'manual',
      signal: cut_off.signal,
    });
    const response = await fetch(signed);
    if (response.ok) return response;
    throw explainRefusal(response.status, await response.text(), { bucket, host, setting });
  };

  const send = async (request: S3Request) => {
    const longest_ms = request.is_long ? LONG_TIMES * timeout_ms : timeout_ms;
    for (let failed = 1; ; failed++) {
      const cut_off = new AbortController();
      const timer = setTimeout(() => cut_off.abort(), longest_ms);
      try {
        return { response: await tryOnce(request, cut_off), cut_off };
      } catch (error) {
        const problem = cut_off.signal.aborted
          ? new StoreError(
              `The S3 server at ${host} did not answer within ${longest_ms / 1_000} seconds.`,
            )
          : error;
        const is_last = failed >= (request.tries ?? tries) || !mayPass(problem);
        if (is_last) throw explainFailure(problem, host);
      } finally {
        clearTimeout(timer);
      }
      await sleep(retry_ms * 2 ** (failed - 1));
    }
  };

  return {
    /** Sends a request. @returns the headers and the whole body of the answer, as text. */
    async ask(request: S3Request): Promise<{ headers: Headers; text: string }> {
      const { response, cut_off } = await send(request);
      const stalled = setTimeout(() => cut_off.abort(), stall_ms);
      try {
        return { headers: response.headers, text: await response.text() };
      } catch (error) {
        throw explainFailure(error, host);
      } finally {
        clearTimeout(stalled);
      }
    },
    /** Downloads an object. */
    async download(key: string) {
      const { response, cut_off } = await send({ method: 'GET', key });
      const length = response.headers.get('content-length');
      const chunks = async function* (): AsyncGenerator<Buffer> {
        let stalled = setTimeout(() => cut_off.abort(), stall_ms);
        try {
          for await (const chunk of response.body ?? []) {
            stalled = stalled.refresh();
            yield Buffer.from(chunk);
          }
        } catch (error) {
          throw explainFailure(error, host);
        } finally {
          clearTimeout(stalled);
          cut_off.abort();
        }
      };
      return { chunks: chunks(), bytes: length === null ? null : Number(length) };
    },
  };
}

export type S3Client = ReturnType<typeof createS3Client>;

/** Finds the text of the first element with this name. */
export const findElement = (xml: string, name: string): string | null =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null;

/** Lists the contents of all elements with this name. */
export const listElements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, text]) => text!);

const PASSING_CODES = ['RequestTimeout', 'SlowDown', 'InternalError', 'OperationAborted'];

/** True if a failure may pass by itself: a refusal of an overloaded server, or no answer. */
const mayPass = (problem: unknown): boolean =>
  !(problem instanceof S3Refusal) || PASSING_CODES.includes(problem.code);

interface Asked {
  bucket: string;
  host: string;
  setting: string;
}

function explainRefusal(status: number, body: string, asked: Asked): S3Refusal {
  const said = findElement(body, 'Code') ?? '';
  const code = said === '' && (status >= 500 || status === 429) ? 'InternalError' : said;
  // Other elements of the answer may repeat the key.
  const message = (findElement(body, 'Message') ?? '').replace(/\.$/, '');
  const words = [`${status}`, said, message].filter((part) => part !== '').join(', ');
  const answer = `The S3 server at ${asked.host} answered ${words.slice(0, MAX_REFUSAL_CHARACTERS)}`;
  return new S3Refusal(`${answer}${adviceFor(status, code, asked)}.`, code);
}

function adviceFor(status: number, code: string, { bucket, setting }: Asked): string {
  if (code === 'RequestTimeTooSkewed') return ': set the clock of this machine';
  if (code === 'NoSuchBucket') return `: there is no bucket ${bucket}, so check ${setting}`;
  if (status >= 300 && status < 400) return ': the bucket is in another region, so set AWS_REGION';
  if (status === 401 || status === 403) {
    return `: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and their rights on the bucket ${bucket}`;
  }
  return '';
}

/** Makes a sentence of a lost connection. Returns sentences as they are. */
function explainFailure(error: unknown, host: string): unknown {
  if (error instanceof StoreError) return error;
  const { cause = error } = error as Error;
  const { code, message, name } = cause as NodeJS.ErrnoException;
  if (name === 'AbortError') {
    return new StoreError(`The S3 server at ${host} stopped in the middle of an answer.`);
  }
  return new StoreError(`The S3 server at ${host} cannot be reached: ${code ?? message}.`);
}
