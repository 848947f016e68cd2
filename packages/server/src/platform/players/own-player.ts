import type { WritesFrom } from '@overworld/contract/players/verification';
import { ApiError, badRequest } from '../errors.ts';
import type { ShareCounts } from '../rate-limit/shares.ts';
import type { CallCounts } from '../call-counts.ts';
import type { ClaimedPlayers } from './claimed-players.ts';
import type { PlayerCall } from './player-call.ts';
import type { NamedPlayer, PlayerKey } from './player-key.ts';

interface NamingEvent {
  player_id?: string | null;
}

/**
 * Makes a `PlayerGuard`.
 * @param claimed Tells which players have logged in, and which ids were merged into a player.
 * @param counts Counts calls with and without a player token.
 * @param shares Counts the calls and events of each player, in games that limit each player (have shares).
 */
export function createPlayerGuard(
  claimed: Pick<ClaimedPlayers, 'has' | 'isMergedInto'>,
  counts: Pick<CallCounts, 'note'>,
  shares: Pick<ShareCounts, 'countPlayer' | 'countEvents'>,
) {
  /** Finds the player of a call. `counts` has already counted the call. */
  const choose = (
    call: PlayerCall,
    sent: string | undefined,
  ): NamedPlayer | Promise<NamedPlayer> => {
    const { caller, player_id: own } = call;
    const { game_id, environment, key_kind, verification } = caller;
    if (own !== null) {
      const player = { game_id, environment, player_id: own };
      return sent === undefined || sent === own ? player : refuseOthers(player, sent);
    }
    const isServer = key_kind === 'server';
    if (verification === 'required' && !isServer) throw missingToken();
    const player = { game_id, environment, player_id: requireId(sent) };
    if (isServer) return player;
    const named = { ...player, stranger_ip: call.exchange.ip };
    return verification === 'off' ? named : refuseClaimed(named);
  };

  /** Refuses a call that names another id than its token, unless that id was merged into the player. */
  const refuseOthers = async (player: PlayerKey, sent: string): Promise<PlayerKey> => {
    if (await claimed.isMergedInto(player, { ...player, player_id: sent })) return player;
    throw ofAnotherPlayer();
  };

  const refuseClaimed = (player: NamedPlayer): Promise<NamedPlayer> => {
    const is_claimed = claimed.has(player);
    if (is_claimed === true) throw hasLoggedIn();
    return is_claimed.then((found) => {
      if (found) throw hasLoggedIn();
      return player;
    });
  };

  const ownPlayer = (
    call: PlayerCall,
    sent: string | undefined,
  ): NamedPlayer | Promise<NamedPlayer> => {
    const { key_kind } = call.caller;
    if (key_kind === 'server') return choose(call, sent);
    counts.note(call);
    const chosen = choose(call, sent);
    return call.caller.shares === null ? chosen : countFor(call, chosen);
  };

  /**
   * Counts a call for its player. A call with a player token is left out, because it was counted before its
   * body was read.
   */
  const countFor = async (call: PlayerCall, chosen: NamedPlayer | Promise<NamedPlayer>) => {
    const player = await chosen;
    if (call.player_id === null) await shares.countPlayer(call, player.player_id);
    return player;
  };

  return {
    /**
     * Finds the player of the call.
     * @param sent The `player_id` that the call names. A call with a token may leave it out.
     * @throws ApiError 400 if no player is named, 401 if the call needs a token, 403 if its token belongs
     * to another player, 429 if the player has used up the share of a player.
     */
    ownPlayer,
    /** Does the same as `ownPlayer`, but returns null if the call names no player. */
    ownPlayerIfNamed(call: PlayerCall, sent: string | undefined) {
      return sent !== undefined || call.player_id !== null ? ownPlayer(call, sent) : null;
    },
    /**
     * Tells whether a call that reads an entry of a public board may act for the player of that entry. Such
     * a call may see hidden scores. The call is not counted for the player, because everybody may request
     * the entry of any player.
     */
    async isOwnPlayer(call: PlayerCall, sent: string): Promise<boolean> {
      if (call.caller.key_kind === 'server' && call.player_id === null) return false;
      try {
        await choose(call, sent);
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) return false;
        throw error;
      }
    },
    /**
     * Checks the players of all events of a call; events without a player are accepted.
     * @throws ApiError 401 or 403 with the `index` of the first event that is refused, 429 if a player
     * has used up a share.
     */
    checkEvents(call: PlayerCall, events: readonly NamingEvent[]): void | Promise<void> {
      const { caller, player_id: own } = call;
      const first = events.findIndex(isNaming);
      if (first === -1) return undefined;
      if (caller.key_kind === 'server') return own === null ? undefined : checkEach(call, events);
      counts.note(call);
      const checking =
        own === null && caller.verification === 'off' ? undefined : checkEach(call, events);
      return caller.shares === null ? checking : countAll(call, events, checking);
    },
  };

  async function countAll(
    call: PlayerCall,
    events: readonly NamingEvent[],
    checking: Promise<void> | undefined,
  ): Promise<void> {
    await checking;
    if (call.player_id === null) await shares.countPlayer(call, events.find(isNaming)!.player_id);
    await shares.countEvents(call, events);
  }

  async function checkEach(call: PlayerCall, events: readonly NamingEvent[]): Promise<void> {
    const indexes = new Map<string, number>();
    for (const [index, event] of events.entries()) {
      if (isNaming(event) && !indexes.has(event.player_id)) indexes.set(event.player_id, index);
    }
    // All checks run at the same time, so that one SQL statement can look up all players.
    const checks = Array.from(indexes, async ([player_id, index]) => {
      try {
        await choose(call, player_id);
      } catch (error) {
        throw error instanceof ApiError && error.status < 500 ? withIndex(error, index) : error;
      }
    });
    const refused = (await Promise.allSettled(checks)).find(({ status }) => status === 'rejected');
    if (refused !== undefined) throw (refused as PromiseRejectedResult).reason;
  }
}

/**
 * The guard that decides which player a call with a key is about. A call with a player token is about the
 * player of its token, also with a server key, and may also name an id that was merged into this player.
 * Without a token, a call with a server key may name any player, and the game's setting decides whether
 * another call may name a player. Then the guard counts the call for its player, if the game has shares. In a
 * game without shares, a method returns a promise only if it must look up the player whom the call names.
 */
export type PlayerGuard = ReturnType<typeof createPlayerGuard>;

/**
 * Requires that a call names the player of its player token, or nobody.
 * @param own The player of the token; null for a call without a token.
 * @throws ApiError 403 if the call names another player.
 */
export function requireOwn(own: string | null, sent: string | undefined): void {
  if (own !== null && sent !== undefined && sent !== own) throw ofAnotherPlayer();
}

/**
 * Tells whether it is certain who the player of the call is. It is certain if a player token or the studio's
 * own server names the player.
 */
const isVerified = ({ caller, player_id }: PlayerCall): boolean =>
  player_id !== null || caller.key_kind === 'server';

/** The facts about a call that decide whether the call may write an achievement, a board or a statistic. */
interface Writer {
  readonly is_server: boolean;
  readonly is_verified: boolean;
}

/** Extracts these facts from a call, because `requireWriter` is called later, for a batch of calls. */
export const writerOf = (call: PlayerCall): Writer => ({
  is_server: call.caller.key_kind === 'server',
  is_verified: isVerified(call),
});

/**
 * Refuses a call that may not write an achievement, a board or a statistic.
 * @throws ApiError 403.
 */
export function requireWriter(
  { is_server, is_verified }: Writer,
  writes_from: WritesFrom,
  thing: 'achievement' | 'board' | 'statistic',
): void {
  if (writes_from === 'server' && !is_server) {
    throw new ApiError(403, `This ${thing} can be written with a server key alone`);
  }
  if (writes_from === 'verified' && !is_verified) {
    throw new ApiError(403, `This ${thing} needs a player who has logged in: send x-player-token`);
  }
}

const isNaming = (event: NamingEvent): event is { player_id: string } =>
  typeof event.player_id === 'string';

function requireId(sent: string | undefined): string {
  if (sent === undefined) throw badRequest('player_id is required');
  return sent;
}

const ofAnotherPlayer = () => new ApiError(403, 'This player token belongs to another player');

const missingToken = () => new ApiError(401, 'Missing x-player-token header');

const hasLoggedIn = () => new ApiError(401, 'This player has logged in: send x-player-token');

const withIndex = ({ status, body: { error } }: ApiError, index: number) =>
  new ApiError(status, error, { index });
