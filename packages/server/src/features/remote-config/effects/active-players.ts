import type { Environment } from '@overworld/contract/common';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { EffectDatabase } from '../../../platform/definitions/effects.ts';
import { createPauses } from '../../../platform/pauses.ts';
import { readAhead } from '../../../platform/read-ahead.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Traits } from '../../../platform/players/traits.ts';
import type { Config } from '../config.ts';
import { NO_TRAITS, readTraits, selectTraits } from '../store.ts';
import type { StoredTraits } from '../store.ts';

interface ActivePlayers {
  game_id: string;
  environment: Environment;
  /** The players were seen at or after this time. */
  since: string;
}

/** The number of players that one statement reads, in some 30 ms. */
const PAGE_SIZE = 5_000;
/** The number of players who are visited before other work gets its turn. */
const VISITED_AT_ONCE = 50;

/**
 * Visits each active player once, with those traits that `needs` names. Players who are seen meanwhile move to
 * the end of the list, so they are met again there, but none is missed.
 */
export async function eachActivePlayer(
  database: EffectDatabase,
  { since, ...tenant }: ActivePlayers,
  needs: Config['needs'],
  signal: AbortSignal,
  visit: (traits: Traits) => void,
): Promise<void> {
  const isActive = sql`${isOfTenant(tenant)} AND last_seen_at >= ${since}::timestamptz`;
  const [active] = await database.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM players WHERE ${isActive}`,
    signal,
  );
  database.progress.expect('players', active!.count);
  const visited = new Set<string>();
  const pause = createPauses();
  const readAfter = async (page: Page | null): Promise<Page | null> => {
    const last = page?.last;
    if (last === null) return null;
    const rows = await database.query<Place>(
      sql`
        SELECT player_id, last_seen_at::text AS seen FROM players
        WHERE ${isActive} ${last === undefined ? sql`` : isAfter(last)}
        ORDER BY last_seen_at, player_id
        LIMIT ${PAGE_SIZE}`,
      signal,
    );
    const ids = rows.map(({ player_id }) => player_id).filter((id) => !visited.has(id));
    for (const id of ids) visited.add(id);
    const players = await listTraits(database, tenant, ids, needs, signal);
    return { players, count: rows.length, last: rows.length < PAGE_SIZE ? null : rows.at(-1)! };
  };
  for await (const { players, count } of readAhead(readAfter)) {
    for (const [index, traits] of players.entries()) {
      visit(traits);
      if (index % VISITED_AT_ONCE > 0) continue;
      await pause();
      signal.throwIfAborted();
    }
    database.progress.add(count);
  }
}

/** The place of a player in the list. */
interface Place {
  player_id: string;
  /** The time at which the player was last seen, as PostgreSQL writes it. */
  seen: string;
}

interface Page {
  players: Traits[];
  /** The number of players on the page, with those whom an earlier page has. */
  count: number;
  /** Null if there is no page after this one. */
  last: Place | null;
}

const isAfter = ({ seen, player_id }: Place): Sql =>
  sql`AND (last_seen_at, player_id) > (${seen}::timestamptz, ${player_id})`;

async function listTraits(
  database: EffectDatabase,
  tenant: { game_id: string; environment: Environment },
  ids: readonly string[],
  needs: Config['needs'],
  signal: AbortSignal,
): Promise<Traits[]> {
  if (needs === null) {
    return ids.map((player_id) => ({ player_id, ...NO_TRAITS }));
  }
  const isOnPage = sql`${isOfTenant(tenant)} AND player_id = ANY(${ids}::text[])`;
  const rows = await database.query<StoredTraits>(selectTraits(needs, isOnPage), signal);
  return rows.map(readTraits);
}
