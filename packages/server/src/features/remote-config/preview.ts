import type { previewConfig } from '@overworld/contract/remote-config/dashboard';
import { normalizeTag } from '@overworld/contract/players/tags';
import type { BodyOf } from '@overworld/contract/operation';
import type { Queryable } from '../../platform/database/database.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import type { Traits } from '../../platform/players/traits.ts';
import type { Config } from './config.ts';
import { getTraits, NO_TRAITS } from './store.ts';

/**
 * Returns the player traits for the preview of a config. Each trait comes from the body. If the body leaves a
 * trait out, it comes from the stored data of the player that the body names. Returns null if the body
 * describes no player.
 */
export async function getPreviewTraits(
  database: Queryable,
  key: Tenant,
  { player_id, tags, properties }: BodyOf<typeof previewConfig>,
  needs: Config['needs'],
): Promise<Traits | null> {
  if (player_id === undefined && !tags && !properties) return null;
  const stored =
    player_id === undefined
      ? { player_id: null, ...NO_TRAITS }
      : await getTraits(database, { ...key, player_id }, needs);
  return {
    player_id: stored.player_id,
    tags: tags ? new Set(tags.map(normalizeTag)) : stored.tags,
    properties: (properties ?? stored.properties) as Traits['properties'],
    stats: stored.stats,
  };
}
