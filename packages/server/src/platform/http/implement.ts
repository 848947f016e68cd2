import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type {
  Access,
  BodyOf,
  Operation,
  ParamsOf,
  QueryOf,
  Role,
  SuccessOf,
  TokenRole,
} from '@overworld/contract/operation';
import { isRole, maxBodyBytes, successStatuses, tokenRoleOf } from '@overworld/contract/operation';
import { getRole } from '../auth/accounts.ts';
import type { AccountCaller, PersonCaller } from '../auth/accounts.ts';
import type { KeyCaller } from '../auth/api-keys.ts';
import type { Actor } from '../audit.ts';
import type { Database } from '../database/database.ts';
import { ApiError, badRequest } from '../errors.ts';
import type { ReadInTurn } from '../queue/dashboard-turns.ts';
import type { FairQueue, OwnerPath } from '../queue/fair-queue.ts';
import type { Api } from './api.ts';
import type { Client } from './client.ts';
import { forSteadyReader } from './connections/unread-answers.ts';
import { STALLED_READER_MS } from './limits.ts';
import { Download } from './download.ts';
import type { Exchange } from './exchange.ts';
import { compilePlaces } from './member-places.ts';
import { compileBody, compileText } from './validation.ts';
import type { Caller } from '../auth/caller.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { networkOf } from '../network/network-address.ts';

/** The caller: a key, an account or nobody, as the operation's access says. */
type CallerOf<O extends Operation> = O['access'] extends 'anyone'
  ? null
  : O['access'] extends 'key' | 'server_key'
    ? KeyCaller
    : O['access'] extends 'key_or_account'
      ? KeyCaller | AccountCaller
      : O['access'] extends Role
        ? AccountCaller
        : O['token_role'] extends TokenRole
          ? AccountCaller
          : PersonCaller;

/** The database of the game of a call; null if the call is about no game. */
type DatabaseOf<A extends Access> = A extends 'key' | 'server_key' | Role
  ? Database
  : A extends 'key_or_account'
    ? Database | null
    : null;

/** The validated body, or its bytes in UTF-8 if the handler itself validates the body. */
type BodyGiven<O extends Operation> = O['body_validation'] extends 'handler' ? Buffer : BodyOf<O>;

/** A request that has passed all checks that its operation states. */
export interface Call<O extends Operation, Body = BodyGiven<O>> {
  caller: CallerOf<O>;
  /** The player whose player token the call has; null without such a token. */
  player_id: string | null;
  /** The database of the call's game. An account that calls an operation of games names its game itself. */
  database: DatabaseOf<O['access']>;
  /** The same database, over the connections for frequent calls from games. */
  hot: DatabaseOf<O['access']>;
  /**
   * For reads that may take more than a few milliseconds. Waits for a turn of the caller, and then runs `work`
   * with the same database, over read-only connections of low priority.
   * @throws ApiError 503 when too many reads wait.
   */
  readonly read: ReadInTurn<DatabaseOf<O['access']>>;
  /** Waits for a turn among the changes that may take seconds, and then makes one. @throws as `read` does. */
  readonly change: <T>(work: () => Promise<T>) => Promise<T>;
  exchange: Exchange;
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: Body;
  /** The caller's role in the game, for operations on a game. */
  role: O['access'] extends Role ? TokenRole : null;
  /** The author of changes, for the audit log. */
  actor: Actor;
  headers: IncomingHttpHeaders;
  /** The caller's address; behind trusted proxies, the address that they name. */
  ip: string;
  client: Client;
  /** The caller's network, account or key, and game, for other queues. */
  owner: OwnerPath;
  /** Aborted when the client hangs up before it has the whole answer. */
  readonly signal: AbortSignal;
}

/** An answer whose status or headers the handler chooses, or whose body is already JSON text. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body | JsonText | undefined;
  readonly headers: ReplyHeaders;

  constructor(status: number, body?: Body | JsonText, headers: ReplyHeaders = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Headers by their names. A list is sent as several headers of the same name, as several cookies need it. */
type ReplyHeaders = Record<string, string | readonly string[]>;

/** JSON that is already text, and is sent as it is. */
export class JsonText {
  readonly text: string;
  /** The text in UTF-8, given for a large text that is sent often, so that it is encoded only once. */
  readonly bytes: Buffer | null;

  constructor(text: string, bytes: Buffer | null = null) {
    this.text = text;
    this.bytes = bytes;
  }
}

/**
 * JSON that is written in pieces, with only one piece in memory at a time. An error before the first piece
 * is answered like any other error; a later error cuts the connection.
 */
export class JsonPieces {
  readonly pieces: AsyncIterable<string>;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }
}

/** The body of a successful answer; void if no successful answer of the operation has a body. */
type Answered<O extends Operation> = [SuccessOf<O>] extends [undefined] ? void : SuccessOf<O>;

/** Answers a call. A handler may return only the body, which is sent with the first status of success. */
type Handler<O extends Operation, Body = BodyGiven<O>> = (
  call: Call<O, Body>,
) => Promise<Answered<O> | Reply<SuccessOf<O>> | JsonText | JsonPieces | Download>;

/**
 * Mounts an operation of the contract. Path, schemas, access and body limit come from the contract, so
 * handler and contract cannot disagree. The order of checks is: authentication (401), rate (429), body size
 * (413), path, query and body (400), membership (404), role (403); then the handler.
 *
 * @param readBody For an operation that validates its body itself and needs a role: turns the bytes of the
 * body into the body for the handler, or throws a 400. It is called before the checks of membership and
 * role.
 */
export function implement<O extends Operation, Body = BodyGiven<O>>(
  api: Api,
  operation: O,
  handler: Handler<NoInfer<O>, NoInfer<Body>>,
  readBody?: (bytes: Buffer) => Body,
): void {
  const { server, authenticate, database, onAnswer, stalled_reader_ms = STALLED_READER_MS } = api;
  const checkParams = operation.params && compileText(operation.params, 'The path');
  const checkQuery = operation.query && compileText(operation.query, 'The query string');
  const checkBody =
    operation.body && operation.body_validation !== 'handler'
      ? compileBody(operation.body)
      : undefined;
  const checkPlaces = isRole(operation.access) ? compilePlaces(operation) : undefined;
  const [defaultStatus = 200] = successStatuses(operation);

  const token_role = tokenRoleOf(operation);

  const authorize = async (caller: AccountCaller, params: unknown): Promise<TokenRole | null> => {
    if (operation.access === 'administrator' && !caller.is_administrator) {
      throw new ApiError(403, 'Only an administrator of this installation may do this');
    }
    if (!isRole(operation.access)) return null;
    const { game_id } = params as { game_id: string };
    const required = caller.access_token === null ? operation.access : token_role!;
    const role = await getRole(database, caller, game_id, required);
    await database.learnGames([game_id]);
    return role;
  };

  const sendFile = (exchange: Exchange, download: Download) => {
    const { content_type, file_name, content, writeFailure } = download;
    const [type] = content_type.split(';');
    if (!operation.answers[defaultStatus]?.media_types?.includes(type!)) {
      throw new Error(`${operation.path} does not state that it answers ${type}`);
    }
    exchange.setHeader('content-type', content_type);
    exchange.setHeader('content-disposition', `attachment; filename="${file_name}"`);
    if (exchange.request.method === 'HEAD' && typeof content !== 'string') {
      // The answer to a HEAD has no body, so the content must not be read.
      content.destroy();
      return exchange.send(defaultStatus);
    }
    exchange.writeFailure = writeFailure;
    const steady = forSteadyReader(exchange.answer, content, stalled_reader_ms);
    exchange.sendStream(defaultStatus, steady);
  };

  const sendPieces = async (exchange: Exchange, { pieces }: JsonPieces) => {
    exchange.setHeader('content-type', JSON_TYPE);
    if (exchange.request.method === 'HEAD') {
      // The first piece is enough to find out whether a GET would fail.
      await pieces[Symbol.asyncIterator]().next();
      return exchange.send(defaultStatus);
    }
    async function* encode() {
      const sent: string[] = [];
      for await (const piece of pieces) {
        if (onAnswer !== undefined) sent.push(piece);
        yield Buffer.from(piece);
      }
      onAnswer?.(operation, defaultStatus, JSON.parse(sent.join('')));
    }
    // By default sixteen pieces would be read ahead.
    const content = Readable.from(encode(), { highWaterMark: 1 });
    const steady = forSteadyReader(exchange.answer, content, stalled_reader_ms);
    exchange.sendStream(defaultStatus, steady);
  };

  const send = (exchange: Exchange, status: number, body: unknown) => {
    onAnswer?.(operation, status, body instanceof JsonText ? JSON.parse(body.text) : body);
    if (body === undefined) return exchange.send(status);
    const text_type = operation.answers[status]?.text_type;
    exchange.setHeader('content-type', text_type ?? JSON_TYPE);
    if (text_type !== undefined) return exchange.send(status, body as string);
    const text = body instanceof JsonText ? (body.bytes ?? body.text) : JSON.stringify(body);
    exchange.send(status, text);
  };

  server.mount({
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    operation,
    max_body_bytes: maxBodyBytes(operation),
    admit: (exchange) => authenticate(exchange, operation),
    async handle(exchange) {
      const { params, query, body: given, caller } = exchange;
      checkParams?.(params);
      checkPlaces?.(query, given);
      checkQuery?.(query);
      if (operation.body && given === undefined) throw badRequest('The request body is missing');
      checkBody?.(given);
      const body = readBody ? readBody(given as Buffer) : given;
      const role = caller?.kind === 'account' ? await authorize(caller, params) : null;
      const call = new RequestCall(exchange, api, body, role);
      const answer = await handler(call as unknown as Call<O, Body>);
      if (answer instanceof Download) return sendFile(exchange, answer);
      if (answer instanceof JsonPieces) return sendPieces(exchange, answer);
      if (!(answer instanceof Reply)) return send(exchange, defaultStatus, answer);
      for (const name in answer.headers) {
        const value = answer.headers[name]!;
        if (typeof value === 'string') exchange.setHeader(name, value);
        else for (const each of value) exchange.addHeader(name, each);
      }
      send(exchange, answer.status, answer.body);
    },
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The pools of connections to the database, and the queue for long work on them. */
interface CallServices {
  hot: GroupedDatabase;
  database: GroupedDatabase;
  reads: GroupedDatabase;
  readTurns: FairQueue;
  changeTurns: FairQueue;
}

/** A call. Its less common parts are made only on demand, because most handlers do not need them. */
class RequestCall {
  readonly #exchange: Exchange;
  readonly #services: CallServices;
  readonly body: unknown;
  readonly role: TokenRole | null;

  constructor(exchange: Exchange, services: CallServices, body: unknown, role: TokenRole | null) {
    this.#exchange = exchange;
    this.#services = services;
    this.body = body;
    this.role = role;
  }

  get exchange() {
    return this.#exchange;
  }
  get caller() {
    return this.#exchange.caller;
  }
  get player_id() {
    return this.#exchange.player_id;
  }
  get database(): Database | null {
    return this.#ofGame(this.#services.database);
  }
  get hot(): Database | null {
    return this.#ofGame(this.#services.hot);
  }
  get params() {
    return this.#exchange.params;
  }
  get query() {
    return this.#exchange.query;
  }
  get headers() {
    return this.#exchange.request.headers;
  }
  get ip() {
    return this.#exchange.ip;
  }
  get actor(): Actor {
    const { caller, ip } = this.#exchange;
    return { account: caller?.kind === 'account' ? caller : null, ip };
  }
  get client(): Client {
    const { headers, ip } = this;
    const user_agent = headers['user-agent']?.slice(0, 512) ?? null;
    return { ip, user_agent, cookies: headers.cookie, origin: headers.origin };
  }
  get owner() {
    return ownerOf(this.ip, this.caller, gameOf(this.#exchange));
  }
  get signal() {
    return this.#exchange.watchHangUp();
  }
  // Getters, so that a handler may take these functions out of its call.
  get read() {
    return <T>(work: (database: Database | null) => Promise<T>) => {
      const { reads, readTurns } = this.#services;
      return readTurns.run(this.owner, () => work(this.#ofGame(reads)), this.signal);
    };
  }
  get change() {
    return <T>(work: () => Promise<T>) =>
      this.#services.changeTurns.run(this.owner, work, this.signal);
  }

  #ofGame(pool: GroupedDatabase): Database | null {
    const game_id = gameOf(this.#exchange);
    return game_id === undefined ? null : pool.ofGame(game_id);
  }
}

/**
 * Returns the game of a call. A key belongs to one game. An account may be a member of many games, so the
 * game comes from the path.
 */
const gameOf = ({ caller, params }: Exchange): string | undefined =>
  caller?.kind === 'key' ? caller.game_id : params.game_id;

function ownerOf(ip: string, caller: Caller | null, game_id = ''): OwnerPath {
  const network = networkOf(ip);
  if (caller === null) return [network, '', ''];
  return [network, caller.kind === 'key' ? caller.key_id : caller.account_id, game_id];
}
