import type { Role } from '@overworld/contract/operation';
import type { Actor } from '../audit.ts';
import type { Caller } from '../auth/authenticate.ts';
import { networkOf } from '../network/network-address.ts';
import type { OwnerPath } from '../queue/fair-queue.ts';
import type { Client } from './client.ts';
import type { Exchange } from './exchange.ts';

/** A call. Its less common parts are made only on demand, because most handlers do not need them. */
export class RequestCall {
  readonly #exchange: Exchange;
  readonly body: unknown;
  readonly role: Role | null;

  constructor(exchange: Exchange, body: unknown, role: Role | null) {
    this.#exchange = exchange;
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
    return ownerOf(this.ip, this.caller, this.params);
  }
  get signal() {
    return this.#exchange.watchHangUp();
  }
}

/**
 * Finds the owner of a call. A key belongs to one game. An account may be a member of many games, so the
 * game comes from the path.
 */
function ownerOf(ip: string, caller: Caller | null, params: unknown): OwnerPath {
  const network = networkOf(ip);
  if (caller === null) return [network, '', ''];
  if (caller.kind === 'key') return [network, caller.key_id, caller.game_id];
  return [network, caller.account_id, (params as { game_id?: string }).game_id ?? ''];
}
