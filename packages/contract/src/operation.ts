import type { Static, TObject, TSchema } from 'typebox';
import type { Group } from './groups.ts';

/**
 * The callers that an operation admits:
 * - `anyone`: no credentials, counted per IP address.
 * - `key`: a game client with an API key in `x-game-api-key`; the key names the game and environment.
 * - `server_key`: the studio's own server, with a server key in the same header.
 * - `key_or_account`: an API key, or else a dashboard account's JWT. If a request has both, the key is used.
 * - `account`: any active dashboard account, by `Authorization: Bearer <JWT>`.
 * - `viewer`, `developer`, `admin`, `owner`: an account that is a member of the game `{game_id}`
 *   in the path with at least that role.
 * - `administrator`: an account that administers the installation.
 */
export type Access =
  | 'anyone'
  | 'key'
  | 'server_key'
  | 'key_or_account'
  | 'account'
  | Role
  | 'administrator';

/** Roles of the members of a game. Each role has all rights of the roles before it. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Tells whether an operation is for the members of a game. */
export const isRole = (access: Access): access is Role =>
  (ROLES as readonly string[]).includes(access);

/**
 * Roles of access tokens, with which the machines of a member make calls. `reports` reads the dashboards of
 * a game and its reports on all players; it cannot choose players (`players`, `split_by`). The others are the
 * roles of members. Each role has all rights of the roles before it.
 */
export const TOKEN_ROLES = ['reports', ...ROLES] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One answer of an operation; `body` is absent when the answer has none. */
export interface Answer {
  description: string;
  /** Headers that the caller should read. */
  headers?: TObject;
  body?: TSchema;
  /** Content type of a body that is text instead of JSON. */
  text_type?: string;
  /** Content types that the query can ask for instead, such as `text/csv`. */
  media_types?: readonly string[];
  example?: unknown;
}

/**
 * An operation of the API: the only statement of its path, schemas, access and errors. Server
 * routes, OpenAPI, SDK types and dashboard calls all derive from it.
 */
export interface Operation {
  /** A unique verb and noun in camelCase: the export's name, set by `operations.ts`. Also the operationId. */
  id: string;
  method: Method;
  /** OpenAPI style, such as `/v1/players/{player_id}/tags`. */
  path: string;
  access: Access;
  /**
   * The lowest role of an access token that may make the call, or `never`. If it is left out, `tokenRoleOf`
   * derives it from `access`.
   */
  token_role?: TokenRole | 'never';
  /** Heading under which the reference lists the operation, such as `Cloud saves`. */
  group: Group;
  summary: string;
  description: string;
  params?: TObject;
  query?: TObject;
  body?: TSchema;
  /** Request headers that the operation reads, besides credentials. */
  headers?: TObject;
  example?: unknown;
  /** `false` if requests do not count against the request rate. */
  rate_limited?: false;
  /** Largest request body, in bytes; `maxBodyBytes` has the default. */
  max_body_bytes?: number;
  /**
   * `schema` (default): the platform parses and validates the body. `handler`: the handler gets only the
   * bytes, which the platform has checked to be UTF-8, and parses and validates them itself.
   */
  body_validation?: 'schema' | 'handler';
  /** A member of the body whose JSON text the handler cuts out of the body, such as to pass it on as it was sent. */
  raw_member?: string;
  /** The answers, with their statuses as keys: all successes, and the errors that only this operation has. */
  answers: { readonly [status: number]: Answer };
}

/**
 * Returns the lowest role of an access token that may make the call, or null if no access token may. Unless
 * the operation states the role, it is the role that members need. Calls that need no role are about the
 * account or the installation, so no token makes them; only `key_or_account` takes a viewer's token.
 */
export function tokenRoleOf({
  access,
  token_role = isRole(access) ? access : access === 'key_or_account' ? 'viewer' : 'never',
}: Pick<Operation, 'access' | 'token_role'>): TokenRole | null {
  return token_role === 'never' ? null : token_role;
}

/** Tells whether games may call the operation. Pages of every origin in CORS_ORIGINS may then call it. */
export const takesKey = ({ access }: Operation): boolean =>
  access === 'key' || access === 'key_or_account';

/**
 * Tells whether access tokens may make the call, and it only reads. Pages of every origin in CORS_ORIGINS may then
 * make it with an access token. Browsers add no credentials to such a call by themselves.
 */
export const isReadByTokens = (operation: Operation): boolean =>
  operation.method === 'GET' && tokenRoleOf(operation) !== null;

/** Tells whether the operation is for the studio's own server. Pages may never call such an operation. */
export const takesServerKey = ({ access }: Operation): boolean => access === 'server_key';

/**
 * Tells whether only the dashboard's own pages may call the operation, because
 * it changes something and games do not call it.
 */
export const isForOwnPages = (operation: Operation): boolean =>
  !takesKey(operation) && !takesServerKey(operation) && operation.method !== 'GET';

/**
 * Largest body of a caller without credentials: an e-mail address, a password and a name are far smaller.
 */
export const MAX_STRANGER_BODY_BYTES = 16 * 1024;
/** Largest body of any other caller, unless the operation states another limit. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Largest request body of an operation, in bytes; a larger one is answered 413. */
export const maxBodyBytes = ({ max_body_bytes, access }: Operation): number =>
  max_body_bytes ?? (access === 'anyone' ? MAX_STRANGER_BODY_BYTES : MAX_BODY_BYTES);

type SchemaType<S> = S extends TSchema ? Static<S> : undefined;
type SuccessStatus = 200 | 201 | 202 | 204 | 304;

export type ParamsOf<O extends Operation> = SchemaType<O['params']>;
export type QueryOf<O extends Operation> = SchemaType<O['query']>;
export type HeadersOf<O extends Operation> = SchemaType<O['headers']>;
export type BodyOf<O extends Operation> = SchemaType<O['body']>;
/** Body of a successful answer; undefined if it has none. */
export type SuccessOf<O extends Operation> = {
  [S in keyof O['answers']]: S extends SuccessStatus
    ? O['answers'][S] extends { body: infer B }
      ? SchemaType<B>
      : undefined
    : never;
}[keyof O['answers']];

/** Statuses of an operation's successes, in ascending order. */
export function successStatuses(operation: Operation): number[] {
  return Object.keys(operation.answers)
    .map(Number)
    .filter((status) => status < 400);
}
