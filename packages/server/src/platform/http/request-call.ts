import type { Role } from '@overworld/contract/operation';
import type { Actor } from '../audit.ts';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { networkOf } from '../network/network-address.ts';
import type { FairQueue, OwnerPath } from '../queue/fair-queue.ts';
import type { Client } from './client.ts';
import type { Exchange } from './exchange.ts';

/** The pools of connections to the database, and the queue for long work on them. */
interface CallServices {
  hot: GroupedDatabase;
  database: GroupedDatabase;
  reads: GroupedDatabase;
  readTurns: FairQueue;
  changeTurns: FairQueue;
}

/** A call. Its less common parts are made only on demand, because most handlers do not need them. */
export class RequestCall {
  readonly #exchange: Exchange;
  readonly #services: CallServices;
  readonly body: unknown;
  readonly role: Role | null;

  constructor(exchange: Exchange, services: CallServices, body: unknown, role: Role | null) {
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
