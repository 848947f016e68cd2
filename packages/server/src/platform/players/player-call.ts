import type { WritesFrom } from '@overworld/contract/players/verification';
import type { KeyCaller } from '../auth/api-keys.ts';
import { ApiError } from '../errors.ts';
import type { Exchange } from '../http/exchange.ts';

/** The data of a call with an API key. It shows for which player the call acts. */
export interface PlayerCall {
  readonly caller: KeyCaller;
  /** The player of the call's `x-player-token`; null without a token. */
  readonly player_id: string | null;
  /** The request and its answer. */
  readonly exchange: Exchange;
}

/**
 * Tells whether it is certain who the player of the call is. It is certain if a player token or the studio's
 * own server names the player.
 */
const isVerified = ({ caller, player_id }: PlayerCall): boolean =>
  player_id !== null || caller.key_kind === 'server';

/** The facts about a call that decide whether the call may write an achievement or a board. */
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
 * Refuses a call that may not write an achievement or a board.
 * @param thing `achievement` or `board`.
 * @throws ApiError 403.
 */
export function requireWriter(
  { is_server, is_verified }: Writer,
  writes_from: WritesFrom,
  thing: 'achievement' | 'board',
): void {
  if (writes_from === 'server' && !is_server) {
    throw new ApiError(403, `This ${thing} can be written with a server key alone`);
  }
  if (writes_from === 'verified' && !is_verified) {
    throw new ApiError(403, `This ${thing} needs a player who has logged in: send x-player-token`);
  }
}
