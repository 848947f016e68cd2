import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Method, Operation } from '@overworld/contract/operation';
import type { Caller } from '../auth/caller.ts';
import type { WindowCount } from '../workers/counts/window-counts.ts';

/** A method and a path, and the function that answers them. */
export interface Route {
  /** A route for `GET` also answers `HEAD`. */
  method: Method;
  /** The path, with parameters as in `/v1/players/:player_id`. A `*` at the end stands for any rest. */
  path: string;
  /** Absent for pages, such as those of the dashboard. */
  operation?: Operation;
  /** The size of the largest body that a request may have, in bytes; 1 MiB by default. */
  max_body_bytes?: number;
  /** Called before the body is read; throws to refuse the request. */
  admit?(exchange: Exchange): void | Promise<void>;
  /** Answers by `exchange.send` or `exchange.sendStream`; throws an `ApiError` to refuse the request. */
  handle(exchange: Exchange): void | Promise<void>;
}

/** The server's functions that are called at certain stages of every answer. */
export interface AnswerHooks {
  /** Called once, before the headers of the answer are sent. */
  onBegin(exchange: Exchange): void;
  /** Called when the server's work on the request is over, possibly twice. */
  onWorkEnd(exchange: Exchange): void;
  /** Called when the whole answer was handed to the connection. */
  onHandedOver(exchange: Exchange): void;
  /** Called when the content of an answer fails; `is_answered` is false if no part of the answer was sent. */
  onContentFailed(exchange: Exchange, error: unknown): void;
}

/**
 * Writes a failure as the last bytes of an answer that has begun. Gets the status and body that the failure
 * would have had as an answer.
 */
export type WriteFailure = (status: number, body: object) => string;

/**
 * Headers that describe the content of an answer. An error that is sent instead of the content has none of
 * these headers.
 */
const CONTENT_HEADERS = new Set([
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
]);

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
  /** The route that answers the request. */
  route: Route;
  readonly params: Record<string, string>;
  readonly query: Record<string, string | string[]>;
  /** The id of the request, for logs and the caller. */
  readonly id: string;
  /** The client's address; behind trusted proxies, the address that they name. */
  readonly ip: string;
  readonly began_at_ms: number = performance.now();
  /** Set by authentication. */
  caller: Caller | null = null;
  /** Set by authentication: the player whose player token the request has; null without such a token. */
  player_id: string | null = null;
  /** The name under which the rate limit counts the request; empty until the request is counted. */
  counted_as = '';
  /** The count under `counted_as`, including this request; null until the request is counted. */
  counted: WindowCount | null = null;
  /** The parsed body, or the bytes of the body; undefined without a body. */
  body: unknown = undefined;
  /**
   * The network for which this request counts as one of the requests
   * that are being processed; null if the request does not count.
   */
  place: string | null = null;
  /** Ends the turn of the request's large body; null while the body has no turn. */
  endLargeBodyTurn: (() => void) | null = null;
  /**
   * Writes a failure of the content at the end of the answer; null if a failure cuts the connection
   * instead.
   */
  writeFailure: WriteFailure | null = null;
  /** True if the answer has begun. */
  is_answered = false;
  /**
   * The headers of the answer, as a list of names and values in turn. Names are in lower case. Node writes
   * this form fastest.
   */
  readonly #headers: (string | number)[];
  #hang_up: AbortSignal | null = null;
  readonly #hooks: AnswerHooks;

  constructor(
    request: IncomingMessage,
    answer: ServerResponse,
    given: {
      route: Route;
      params: Record<string, string>;
      query: Record<string, string | string[]>;
      id: string;
      ip: string;
      hooks: AnswerHooks;
      /** Headers of the answer, as a list of names and values in turn. Names are in lower case. */
      headers: readonly string[];
    },
  ) {
    this.request = request;
    this.answer = answer;
    this.route = given.route;
    this.params = given.params;
    this.query = given.query;
    this.id = given.id;
    this.ip = given.ip;
    this.#hooks = given.hooks;
    this.#headers = given.headers.slice();
    this.#headers.push('x-request-id', given.id);
  }

  /** Adds a header that the answer does not have yet. The name must be in lower case. */
  addHeader(name: string, value: string | number): void {
    this.#headers.push(name, value);
  }

  /** Sets a header of the answer, in place of an earlier value. */
  setHeader(name: string, value: string): void {
    const headers = this.#headers;
    const key = name.toLowerCase();
    for (let at = 0; at < headers.length; at += 2) {
      if (headers[at] === key) return void (headers[at + 1] = value);
    }
    headers.push(key, value);
  }

  /** Stops counting the request as one that is being processed, and ends the turn of its large body. */
  endWork(): void {
    this.#hooks.onWorkEnd(this);
  }

  /** Answers with a text or bytes, or without a body. */
  send(status: number, body?: string | Buffer): void {
    const { answer, request } = this;
    const headers = this.#begin();
    if (answer.destroyed) return;
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    const isBodiless = status === 204 || status === 304;
    if (!isBodiless && (body !== undefined || request.method !== 'HEAD')) {
      headers.push('content-length', bytes);
    }
    answer.writeHead(status, headers);
    // If Node knows that each character is one byte, it copies the text without encoding it.
    answer.end(body, bytes === body?.length ? 'latin1' : 'utf8');
    this.#hooks.onHandedOver(this);
  }

  /** Answers with a stream. The headers are sent with the first bytes, because the stream may fail before. */
  sendStream(status: number, content: Readable): void {
    const { answer } = this;
    const headers = this.#begin();
    if (answer.destroyed) return void content.destroy();
    answer.statusCode = status;
    for (let at = 0; at < headers.length; at += 2) {
      answer.setHeader(headers[at] as string, headers[at + 1]!);
    }
    const handOver = () => this.#hooks.onHandedOver(this);
    answer.once('prefinish', handOver);
    answer.once('close', () => content.destroy());
    content.once('error', (error) => {
      if (!answer.headersSent) {
        answer.off('prefinish', handOver);
        for (const name of answer.getHeaderNames()) answer.removeHeader(name);
        this.#dropContentHeaders();
        this.is_answered = false;
      }
      this.#hooks.onContentFailed(this, error);
    });
    content.pipe(answer);
  }

  /** @returns A signal that is aborted when the client hangs up before its whole answer is sent. */
  watchHangUp(): AbortSignal {
    this.#hang_up ??= this.#listenForHangUp();
    return this.#hang_up;
  }

  #listenForHangUp(): AbortSignal {
    const { answer } = this;
    const controller = new AbortController();
    const stop = () => {
      if (!answer.writableFinished) controller.abort();
    };
    // If the client hung up during authentication, `close` was emitted already.
    if (answer.closed) stop();
    else answer.once('close', stop);
    return controller.signal;
  }

  #dropContentHeaders(): void {
    const headers = this.#headers;
    for (let at = headers.length - 2; at >= 0; at -= 2) {
      if (CONTENT_HEADERS.has(headers[at] as string)) headers.splice(at, 2);
    }
    this.addHeader('cache-control', 'no-store');
  }

  #begin(): (string | number)[] {
    if (this.is_answered) throw new Error('The request is answered already');
    this.is_answered = true;
    this.#hooks.onBegin(this);
    return this.#headers;
  }
}
