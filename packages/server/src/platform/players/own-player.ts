import { ApiError, badRequest } from '../errors.ts';
import type { PlayerCall } from './player-call.ts';
import type { PlayerKey } from './player-key.ts';

/**
 * Decides which player a call by key is about. A server key may name any player. Any other call is
 * about the player of its token; without a token the game's setting decides whether it may name one.
 * Each method gives a promise only if it has to look up whether a player is claimed.
 */
export interface PlayerGuard {
  /**
   * The player of the call.
   * @param sent The `player_id` that the call names; it may be left out with a token.
   * @throws ApiError 400 if no player is named, 401 if the call needs a token, 403 if its token is
   * another player's.
   */
  ownPlayer(call: PlayerCall, sent: string | undefined): PlayerKey | Promise<PlayerKey>;
  /** The same for a call that may be about nobody: null then. */
  ownPlayerIfNamed(
    call: PlayerCall,
    sent: string | undefined,
  ): PlayerKey | Promise<PlayerKey> | null;
  /**
   * Checks the players of all events of a call; events that name nobody pass.
   * @throws ApiError 401 or 403 with the `index` of the first event that is refused.
   */
  checkEvents(call: PlayerCall, events: readonly NamingEvent[]): void | Promise<void>;
}

interface NamingEvent {
  player_id?: string | null;
}

export function createPlayerGuard(): PlayerGuard {
  const ownPlayer = (call: PlayerCall, sent: string | undefined): PlayerKey => {
    const { caller, player_id: own } = call;
    const { game_id, environment, key_kind, verification } = caller;
    if (key_kind === 'client') {
      if (own !== null) {
        if (sent !== undefined && sent !== own) throw ofAnotherPlayer();
        return { game_id, environment, player_id: own };
      }
      if (verification === 'required') throw missingToken();
    }
    if (sent === undefined) throw badRequest('player_id is required');
    return { game_id, environment, player_id: sent };
  };

  return {
    ownPlayer,
    ownPlayerIfNamed(call, sent) {
      if (sent !== undefined) return ownPlayer(call, sent);
      const isOwn = call.player_id !== null && call.caller.key_kind === 'client';
      return isOwn ? ownPlayer(call, sent) : null;
    },
    checkEvents(call, events) {
      const { caller, player_id: own } = call;
      if (caller.key_kind === 'server') return;
      if (own === null && caller.verification === 'off') return;
      let last: string | undefined;
      for (const [index, event] of events.entries()) {
        const sent = event.player_id ?? undefined;
        if (sent === undefined || sent === last) continue;
        try {
          ownPlayer(call, sent);
        } catch (error) {
          throw error instanceof ApiError ? withIndex(error, index) : error;
        }
        last = sent;
      }
    },
  };
}

const ofAnotherPlayer = () => new ApiError(403, 'This player token belongs to another player');

const missingToken = () => new ApiError(401, 'Missing x-player-token header');

const withIndex = ({ status, body: { error } }: ApiError, index: number) =>
  new ApiError(status, error, { index });
