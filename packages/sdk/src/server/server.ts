import type { AchievementList, LeaderboardPage, LeaderboardPlayers } from '../answers.ts';
import { makeId, platform } from '../http/platform.ts';
import type {
  ConfigValues,
  NewMessage,
  SentMessage,
  TrackedEvents,
  VerifiedPlayer,
} from './answers.ts';
import { OverworldError } from './error.ts';
import { ServerPlayer } from './player.ts';
import { createRequest } from './transport.ts';
import type { Request } from './transport.ts';

export type * from '../answers.ts';
export type * from './answers.ts';
export { OverworldError } from './error.ts';
export type { ErrorCode } from './error.ts';
export type { ServerPlayer } from './player.ts';

export interface OverworldServerOptions {
  /** URL of the Overworld server, such as `https://play.example.com`. */
  baseUrl: string;
  /** A server key, `ow_srv_…`, made in the dashboard. It may act for every player: keep it out of games. */
  apiKey: string;
  /** Time limit of an attempt in milliseconds; 10,000 by default. */
  timeoutMs?: number;
}

const makeUuid = () => makeId().replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** An event, as a server sends it. */
export interface ServerEvent {
  event_name: string;
  /** Events of a player with the same `session_id` are one session in reports, such as a match. */
  session_id: string;
  player_id?: string;
  /** Any JSON object of up to 32 KB. */
  properties?: object;
  /** ISO 8601; by default the time of the call. */
  client_timestamp?: string;
}

/**
 * A client of Overworld for a server of your own, such as a match server. It acts for every player, keeps
 * nothing, starts no session and tracks nothing by itself. Make one, and use it for all requests.
 *
 * @example
 * const overworld = new OverworldServer({ baseUrl, apiKey: process.env.OVERWORLD_SERVER_KEY });
 * const { player_id } = await overworld.verifyPlayer(token);
 * await overworld.player(player_id).leaderboards.submit('arena', 4200);
 */
export class OverworldServer {
  readonly #request: Request;

  /** @throws TypeError if the URL or the key cannot be right, and in a page. */
  constructor({ baseUrl, apiKey, timeoutMs = 10_000 }: OverworldServerOptions) {
    if (!/^https?:\/\/[^/]/.test(baseUrl ?? '')) {
      throw new TypeError(`baseUrl is no web address: ${baseUrl}`);
    }
    if (!/^ow_srv_[!-~]+$/.test(apiKey ?? '')) throw new TypeError('apiKey is no server key');
    if (platform.document) throw new TypeError('A server key must never be in a page');
    this.#request = createRequest(baseUrl.replace(/\/+$/, ''), apiKey, timeoutMs);
  }

  /**
   * Tells which player a client is. The game sends the token that its SDK gives by `getPlayerToken`. The
   * token is valid for up to an hour, so verify it once, when the client connects.
   * @throws OverworldError `invalid_player_token` if the token is wrong, expired, or of another game or
   * environment, or if its player was erased.
   */
  async verifyPlayer(playerToken: string): Promise<VerifiedPlayer> {
    // Clients may send anything.
    if (typeof playerToken !== 'string' || !/^[\w.-]{1,8192}$/.test(playerToken)) {
      throw new OverworldError('Invalid player token', 'invalid_player_token');
    }
    const body = { player_token: playerToken };
    try {
      return await this.#request<VerifiedPlayer>('POST', '/v1/players/verify', { body });
    } catch (error) {
      const { code, message, ...details } = error as OverworldError;
      if (code !== 'unauthorized' || /API key|x-game-api-key/.test(message)) throw error;
      throw new OverworldError(message, 'invalid_player_token', { ...details, cause: error });
    }
  }

  /** Returns the player with this id, to act for. It sends no request. */
  player(playerId: string): ServerPlayer {
    return new ServerPlayer(playerId, this.#request);
  }

  /**
   * Stores 1 to 100 events, of any players, once each: a repeated attempt stores nothing twice.
   * @throws OverworldError `bad_request` with `violations` in its `body` if an event is malformed,
   * `quota_exceeded` if the monthly quota is used up.
   */
  track(events: readonly ServerEvent[]): Promise<TrackedEvents> {
    const client_timestamp = new Date().toISOString();
    const body = events.map((event) => ({ client_timestamp, ...event }));
    const headers = { 'idempotency-key': makeId() };
    return this.#request('POST', '/v1/track', { body, headers });
  }

  readonly achievements = {
    /** Lists all achievements; for those of a player use `player(id).achievements.list()`. */
    list: ({ locale }: { locale?: string } = {}): Promise<AchievementList> =>
      this.#request('GET', '/v1/achievements', { query: { locale } }),
  };

  readonly messages = {
    /**
     * Sends a message to a player, to the players who meet conditions, or to all. A repeated attempt sends
     * nothing twice.
     */
    send: (message: NewMessage): Promise<SentMessage> =>
      this.#request('POST', '/v1/messages', { body: { id: makeUuid(), ...message } }),
    /** Recalls a message: no player has it any more. Rewards that were claimed stay. */
    recall: (messageId: string): Promise<SentMessage> =>
      this.#request('POST', `/v1/messages/${encodeURIComponent(messageId)}/recall`),
  };

  readonly leaderboards = {
    /** Gets a page of a board: the first 50 entries, or `limit` entries (1 to 100) from `offset` on. */
    page: (
      boardName: string,
      { limit, offset, season }: { limit?: number; offset?: number; season?: number } = {},
    ): Promise<LeaderboardPage> =>
      this.#request('GET', `/v1/leaderboards/${encodeURIComponent(boardName)}`, {
        query: { limit, offset, season },
      }),
    /** Gets the entries of 1 to 100 players, with their ranks among all entries. */
    players: (
      boardName: string,
      playerIds: readonly string[],
      { season }: { season?: number } = {},
    ): Promise<LeaderboardPlayers> =>
      this.#request('POST', `/v1/leaderboards/${encodeURIComponent(boardName)}/players`, {
        body: { player_ids: playerIds, season },
      }),
  };

  /** Gets the values of the remote config that hold for nobody in particular. */
  config(): Promise<ConfigValues> {
    return this.#request('GET', '/v1/config');
  }
}
