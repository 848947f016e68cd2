import type { Queryable } from '../../platform/database/database.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfPlayer, isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { notFound } from '../../platform/errors.ts';
import type { Audience } from '@overworld/contract/messages/message-fields';
import { isInAudience } from './audience.ts';
import type { StoredAudience } from './message.ts';
import { playerName } from './store.ts';

const MAX_EXAMPLES = 5;

/** Counts the players to whom a message would go. @throws ApiError 404 when it is for a player who does not exist. */
export async function previewAudience(
  database: Queryable,
  tenant: Tenant,
  to: Audience,
  audience: StoredAudience | null,
) {
  const isChosen =
    audience === null
      ? isOfPlayer({ ...tenant, player_id: to.player_id! })
      : isInAudience(tenant, audience);
  const count = await selectCount(database, sql`players WHERE ${isChosen}`);
  if (audience === null && count === 0) throw notFound('Player not found');
  const of = await selectCount(database, sql`players WHERE ${isOfTenant(tenant)}`);
  const examples = await database.query<{ player_id: string; name: string | null }>(sql`
    SELECT player_id, ${playerName} AS name FROM players
    WHERE ${isChosen}
    ORDER BY last_seen_at DESC, player_id
    LIMIT ${MAX_EXAMPLES}`);
  return { words: describe(to), players: { count, of }, examples };
}

/** Says in words who gets a message. */
function describe({ type, segment, joiners, ...to }: Audience): string {
  const later = joiners === 'excluded' ? '' : ', and those who come later';
  if (type === 'player') return 'One player';
  if (type === 'everyone') return `All players${later}`;
  const isAbout = (member: string) =>
    to.properties?.some((condition) => member in condition) ?? false;
  const conditions = [
    ...(segment === undefined ? [] : [`of the segment “${segment}”`]),
    ...(to.has_tags === undefined ? [] : [`with the tags ${to.has_tags.join(', ')}`]),
    ...(to.lacks_tags === undefined ? [] : [`without the tags ${to.lacks_tags.join(', ')}`]),
    ...(isAbout('property') ? ['with certain properties'] : []),
    ...(isAbout('stat') ? ['with certain statistics'] : []),
  ];
  return `Players ${conditions.join(' and ')}${later}`;
}
