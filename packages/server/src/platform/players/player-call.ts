import type { WritesFrom } from '@overworld/contract/players/verification';
import type { KeyCaller } from '../auth/api-keys.ts';
import { ApiError } from '../errors.ts';

/** The parts of a call by key that say for whom it acts. */
export interface PlayerCall {
  readonly caller: KeyCaller;
  /** The player of its `x-player-token`; null without one. */
  readonly player_id: string | null;
}

/** Whether the player of the call is certain: a player token or the studio's server names the player. */
export const isVerified = ({ caller, player_id }: PlayerCall): boolean =>
  player_id !== null || caller.key_kind === 'server';

/**
 * Refuses a call that may not write an achievement or a board.
 * @param thing `achievement` or `board`.
 * @throws ApiError 403.
 */
export function requireWriter(
  call: PlayerCall,
  writes_from: WritesFrom,
  thing: 'achievement' | 'board',
): void {
  if (writes_from === 'server' && call.caller.key_kind !== 'server') {
    throw new ApiError(403, `This ${thing} can be written with a server key alone`);
  }
  if (writes_from === 'verified' && !isVerified(call)) {
    throw new ApiError(403, `This ${thing} needs a player who has logged in: send x-player-token`);
  }
}
