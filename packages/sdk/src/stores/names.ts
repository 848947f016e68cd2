import type { OverworldOptions } from '../options.ts';
import { hashOf } from './kept-store.ts';

export const isDevelopmentKey = (api_key: string) => api_key.startsWith('ow_dev_');

/** The keys that a client uses in its store. */
export interface StoreNames {
  /** Key of the anonymous player. It stays the same when the game gets a new API key. */
  identity: string;
  /** Prefix of all other keys. */
  prefix: string;
  /** All prefixes of stored queues: first the prefix used by releases without `storeName`, then `prefix`. */
  prefixes: string[];
  /** Key of the anonymous player in releases that stored the player under the API key. */
  earlier_identity: string;
}

export const chooseNames = ({
  storeName,
  apiKey,
  firstApiKey = apiKey,
}: OverworldOptions): StoreNames => {
  const environment = isDevelopmentKey(apiKey) ? 'development' : 'production';
  const of_key = `overworld:${hashOf(firstApiKey)}:`;
  const of_game = storeName ? `overworld:${storeName}:${environment}:` : of_key;
  return {
    identity: storeName ? `${of_game}identity` : `overworld:${environment}:identity`,
    prefix: of_game,
    prefixes: storeName ? [of_key, of_game] : [of_game],
    earlier_identity: `${of_key}player`,
  };
};
