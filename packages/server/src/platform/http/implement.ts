import type { Readable } from 'node:stream';
import type {
  Access,
  BodyOf,
  Operation,
  ParamsOf,
  QueryOf,
  Role,
  SuccessOf,
} from '@overworld/contract/operation';
import { maxBodyBytes, ROLES, successStatuses } from '@overworld/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getRole } from '../auth/accounts.ts';
import type { AccountCaller } from '../auth/accounts.ts';
import type { KeyCaller } from '../auth/api-keys.ts';
import type { Caller } from '../auth/authenticate.ts';
import type { Actor } from '../audit.ts';
import { ApiError, badRequest } from '../errors.ts';
import type { OwnerPath } from '../queue/fair-queue.ts';
import { networkOf } from '../network/network-address.ts';
import type { Api } from './api.ts';
import type { Client } from './client.ts';
import { forSteadyReader, STALLED_READER_MS } from './connections/steady-reader.ts';
import { compileBody, compileText } from './validation.ts';

/** The caller, by the operation's access. */
type CallerOf<A extends Access> = A extends 'anyone'
  ? null
  : A extends 'key'
    ? KeyCaller
    : A extends 'key_or_account'
      ? KeyCaller | AccountCaller
      : AccountCaller;

/** The validated body, or its bytes in UTF-8 where the handler validates. */
type BodyGiven<O extends Operation> = O['body_validation'] extends 'handler' ? Buffer : BodyOf<O>;

/** A request that has passed all checks its operation states. */
export interface Call<O extends Operation, Body = BodyGiven<O>> {
  caller: CallerOf<O['access']>;
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: Body;
  /** The caller's role in the game, for operations on a game. */
  role: O['access'] extends Role ? Role : null;
  /** The author of changes, for the audit log. */
  actor: Actor;
  headers: FastifyRequest['headers'];
  /** The caller's address; behind trusted proxies, the one that they name. */
  ip: string;
  client: Client;
  /** The caller's network, account or key, and game, for queues. */
  owner: OwnerPath;
  /** Aborted when the client hangs up before it has the whole answer. */
  readonly signal: AbortSignal;
}

/** An answer with a status or headers that the operation leaves open, or whose body is JSON text. */
export class Reply<Body> {
  readonly status: number;
  readonly body: Body | JsonText | undefined;
  readonly headers: Record<string, string>;

  constructor(status: number, body?: Body | JsonText, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** JSON that is already text, and is sent as it is. */
export class JsonText {
  readonly text: string;
  /** The same in UTF-8. A large text that is sent often is encoded only once. */
  readonly bytes: Buffer | null;

  constructor(text: string, bytes: Buffer | null = null) {
    this.text = text;
    this.bytes = bytes;
  }
}

/** A file, in one of the forms besides JSON that the operation states as `media_types`. */
export class Download {
  /** Such as `text/csv; charset=utf-8`. */
  readonly content_type: string;
  /** Name under which a browser keeps it: letters, digits, `-`, `_` and `.`. */
  readonly file_name: string;
  readonly content: string | Readable;

  constructor(content_type: string, file_name: string, content: string | Readable) {
    this.content_type = content_type;
    this.file_name = file_name;
    this.content = content;
  }
}

/** Answers a call: with the body alone where only one status means success. */
export type Handler<O extends Operation, Body = BodyGiven<O>> = (
  call: Call<O, Body>,
) => Promise<SuccessOf<O> | Reply<SuccessOf<O>> | JsonText | Download>;

const isRole = (access: Access): access is Role => (ROLES as readonly string[]).includes(access);

/**
 * Mounts an operation of the contract. Path, schemas, access and body limit come from it, so that
 * handler and contract cannot disagree. The order of checks is: authentication (401), rate (429),
 * body size (413), path, query and body (400), membership (404), role (403); then the handler.
 *
 * @param readBody For an operation that validates by itself and needs a role: turns the bytes of the
 * body into the handler's body, or throws a 400. It runs before the checks of membership and role.
 */
export function implement<O extends Operation, Body = BodyGiven<O>>(
  api: Api,
  operation: O,
  handler: Handler<NoInfer<O>, NoInfer<Body>>,
  readBody?: (bytes: Buffer) => Body,
): void {
  const { app, authenticate, database, onAnswer, stalled_reader_ms = STALLED_READER_MS } = api;
  const checkParams = operation.params && compileText(operation.params, 'The path');
  const checkQuery = operation.query && compileText(operation.query, 'The query string');
  const checkBody =
    operation.body && operation.body_validation !== 'handler'
      ? compileBody(operation.body)
      : undefined;
  const [defaultStatus = 200] = successStatuses(operation);
  const callers = new WeakMap<FastifyRequest, Caller | null>();

  const authorize = async (caller: Caller | null, params: unknown): Promise<Role | null> => {
    if (caller?.kind !== 'account') return null;
    if (operation.access === 'administrator' && !caller.is_administrator) {
      throw new ApiError(403, 'Only an administrator of this installation may do this');
    }
    if (!isRole(operation.access)) return null;
    const { game_id } = params as { game_id: string };
    return getRole(database, caller, game_id, operation.access);
  };

  const sendFile = (reply: FastifyReply, download: Download) => {
    const { content_type, file_name, content } = download;
    const [type] = content_type.split(';');
    if (!operation.answers[defaultStatus]?.media_types?.includes(type!)) {
      throw new Error(`${operation.id} does not state that it answers ${type}`);
    }
    reply.code(defaultStatus).header('Content-Type', content_type);
    reply.header('Content-Disposition', `attachment; filename="${file_name}"`);
    if (reply.request.method === 'HEAD' && typeof content !== 'string') {
      // A HEAD has no body, so the content must not be read.
      content.destroy();
      return reply.send('');
    }
    return reply.send(forSteadyReader(reply.raw, content, stalled_reader_ms));
  };

  const send = (reply: FastifyReply, status: number, body: unknown) => {
    onAnswer?.(operation, status, body instanceof JsonText ? JSON.parse(body.text) : body);
    reply.code(status);
    if (body === undefined) return reply.send();
    const text_type = operation.answers[status]?.text_type;
    if (text_type !== undefined) return reply.header('Content-Type', text_type).send(body);
    reply.header('Content-Type', 'application/json; charset=utf-8');
    return reply.send(body instanceof JsonText ? (body.bytes ?? body.text) : JSON.stringify(body));
  };

  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: maxBodyBytes(operation),
    config: { operation },
    async onRequest(request, reply) {
      callers.set(request, await authenticate(request, reply, operation));
    },
    async handler(request, reply) {
      const { params, query, headers, ip } = request;
      const caller = callers.get(request) ?? null;
      checkParams?.(params);
      checkQuery?.(query);
      if (operation.body && request.body === undefined) {
        throw badRequest('The request body is missing');
      }
      checkBody?.(request.body);
      const body = readBody ? readBody(request.body as Buffer) : request.body;
      const role = await authorize(caller, params);
      const account = caller?.kind === 'account' ? caller : null;
      const answer = await handler({
        caller,
        params,
        query,
        body,
        role,
        actor: { account, ip },
        headers,
        ip,
        client: {
          ip,
          user_agent: headers['user-agent']?.slice(0, 512) ?? null,
          cookies: headers.cookie,
          origin: headers.origin,
        },
        get owner() {
          return ownerOf(ip, caller, params);
        },
        // Made on demand: most handlers do not need it.
        get signal() {
          return watchHangUp(reply);
        },
      } as Call<O, Body>);
      if (answer instanceof Download) return sendFile(reply, answer);
      if (answer instanceof Reply) {
        reply.headers(answer.headers);
        return send(reply, answer.status, answer.body);
      }
      return send(reply, defaultStatus, answer);
    },
  });
}

/** A key is of one game; an account may be a member of many. */
function ownerOf(ip: string, caller: Caller | null, params: unknown): OwnerPath {
  const network = networkOf(ip);
  if (caller === null) return [network, '', ''];
  if (caller.kind === 'key') return [network, caller.key_id, caller.game_id];
  return [network, caller.account_id, (params as { game_id?: string }).game_id ?? ''];
}

function watchHangUp({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (!raw.writableFinished) controller.abort();
  };
  // A client that hung up during authentication has emitted `close` already.
  if (raw.closed) stop();
  else raw.once('close', stop);
  return controller.signal;
}
