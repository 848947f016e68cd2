import type { KeyCaller } from '../auth/api-keys.ts';
import type { Exchange } from '../http/exchange.ts';

/** The data of a call with an API key. It shows for which player the call acts. */
export interface PlayerCall {
  readonly caller: KeyCaller;
  /** The player of the call's `x-player-token`; null without a token. */
  readonly player_id: string | null;
  /** The request and its answer. */
  readonly exchange: Exchange;
}
