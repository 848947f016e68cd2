import type { SuccessOf } from '@overworld/contract/operation';
import type { listPlayers } from '@overworld/contract/players/dashboard';
import { sql } from '../../../platform/database/sql.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { searchPlayers } from './player-search.ts';
import type { PlayerPage, PlayerQuery } from './player-search.ts';
import { within } from './search-time.ts';

type FoundBy = NonNullable<SuccessOf<typeof listPlayers>['found_by']>;

/** Finds the players of whom a purchase has exactly this text, such as the number of its order. */
export type FindBuyers = (tx: Queryable, game: Tenant, text: string) => Promise<string[]>;

/**
 * Reads a page of the players of a search. If no name and no id contains its text, the players are found by what
 * else is known of them.
 * @throws ApiError as `searchPlayers` does.
 */
export async function findPlayers(
  database: Database,
  game: Tenant,
  query: PlayerQuery,
  findBuyers: FindBuyers,
  timeout_ms?: number,
): Promise<PlayerPage & { found_by?: FoundBy }> {
  const named = await searchPlayers(database, game, query);
  const { search, ...others } = query;
  if (named.players.length > 0 || search === undefined) return named;
  const findKnown = async (tx: Queryable): Promise<[FoundBy, string[]]> => {
    const logged_in = await findByLogin(tx, game, search);
    if (logged_in.length > 0) return ['login', logged_in];
    return ['purchase', await findBuyers(tx, game, search)];
  };
  const [found_by, player_ids] = await within(database, findKnown, timeout_ms, TOO_MANY);
  if (player_ids.length === 0) return named;
  const found = await searchPlayers(database, game, { ...others, player_ids });
  return found.players.length === 0 ? named : { ...found, found_by };
}

const TOO_MANY =
  'no name, no id and no login has the text, and there are too many purchases to look through';

/** The providers are named, because the index of logins begins with them. */
async function findByLogin(tx: Queryable, game: Tenant, subject: string): Promise<string[]> {
  const rows = await tx.query<{ player_id: string }>(sql`
    SELECT DISTINCT player_id FROM player_identities
    WHERE ${isOfTenant(game)} AND subject = ${subject} AND provider = ANY (
      ARRAY(SELECT provider FROM login_providers WHERE ${isOfTenant(game)}) || 'device'::text)`);
  return rows.map(({ player_id }) => player_id);
}
