import { parseKept } from '../stores/kept-store.ts';
import { makeId } from '../http/platform.ts';
import type { KeptText } from '../stores/kept-store.ts';

/** The anonymous player of this device. */
export interface Identity {
  player_id: string;
  /** The id and the secret with which the device logs in. No other device knows the secret. */
  device_id: string;
  secret: string;
}

/**
 * Reads the identity from the text, or makes a new identity.
 * @param earlier_id The id of the anonymous player, as stored by early releases, which stored nothing
 * else.
 */
export const readIdentity = (text: KeptText, earlier_id: KeptText): Identity => {
  const kept = parseKept<Identity>(text);
  if (kept?.player_id && kept.secret) return kept;
  return { player_id: earlier_id || makeId(), device_id: makeId(), secret: makeId(32) };
};
