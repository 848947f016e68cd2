import type { Database, Queryable } from '../../../platform/database/database.ts';
import { selectCount } from '../../../platform/database/select-count.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import { leaseEnd } from '../../../platform/restorations/restoration-store.ts';
import { isOfRestoration } from '../../../platform/restorations/restoration.ts';
import { findLeftBound } from './bounds.ts';
import { restorationStore } from './restoration-store.ts';
import type { StatRestoration } from './restoration.ts';
import { listBounds, readValues } from './values.ts';
import type { AskedValue } from './values.ts';

/** The most values that a step looks at. */
const PAGE_SIZE = 500;

/** A value with changes in the hours of a question. */
interface BadValue extends AskedValue {
  value: string | null;
  after: string | null;
  is_out_of_bounds: boolean;
}

/**
 * Looks at the values of the next players, and stores those with changes in the hours of the question.
 * @param segment The players to look at; null for all.
 * @returns false when all values are counted, or the count is paused.
 */
export async function countNext(
  group: Database,
  restoration: StatRestoration,
  segment: ReadonlySet<string> | null,
): Promise<boolean> {
  const { after_player_id } = restoration;
  const values_to_count =
    restoration.values_to_count ??
    (await selectCount(group, sql`player_stats WHERE ${isAsked(restoration)}`));
  const { values, is_last } = await readPage(group, restoration);
  const seen = values.filter(({ player_id }) => segment === null || segment.has(player_id));
  const found = await findBad(group, restoration, seen);
  const countPlayers = (some: readonly AskedValue[]) =>
    new Set(some.map(({ player_id }) => player_id)).size;

  return group.transaction(async (tx) => {
    const now = await restorationStore.find(tx, restoration, sql`FOR UPDATE`);
    // It was paused meanwhile, or another server has counted these values.
    if (now?.state !== 'counting' || now.after_player_id !== after_player_id) return false;
    if (found.length > 0) await insertFound(tx, restoration, found);
    await tx.execute(sql`
      UPDATE stat_restorations
      SET after_player_id = ${values.at(-1)?.player_id ?? after_player_id},
          values_to_count = ${values_to_count},
          counted_values = counted_values + ${values.length}::bigint,
          counted_players = counted_players + ${countPlayers(seen)}::bigint,
          player_count = player_count + ${countPlayers(found)}::bigint,
          value_count = value_count + ${found.length}::bigint,
          out_of_bounds_count = out_of_bounds_count
            + ${found.filter(({ is_out_of_bounds }) => is_out_of_bounds).length}::bigint,
          state = ${is_last ? 'ready' : 'counting'},
          counted_at = ${is_last ? new Date().toISOString() : null}::timestamptz,
          next_step_at = ${leaseEnd}
      WHERE ${isOfRestoration(restoration)}`);
    return !is_last;
  });
}

const isAsked = ({ game_id, environment, question }: StatRestoration) =>
  sql`${isOfTenant({ game_id, environment })} AND key = ANY(${question.stats}::text[])`;

/** Reads the values of the next players. A page has all values of its players. */
async function readPage(
  database: Queryable,
  restoration: StatRestoration,
): Promise<{ values: AskedValue[]; is_last: boolean }> {
  const rows = await database.query<AskedValue>(sql`
    SELECT player_id, key, aggregation FROM player_stats
    WHERE ${isAsked(restoration)} AND player_id > ${restoration.after_player_id}
    ORDER BY player_id, key
    LIMIT ${PAGE_SIZE}`);
  if (rows.length < PAGE_SIZE) return { values: rows, is_last: true };
  // The last player may have more values than are on this page.
  const { player_id } = rows.at(-1)!;
  return { values: rows.filter((row) => row.player_id !== player_id), is_last: false };
}

async function findBad(
  group: Database,
  restoration: StatRestoration,
  seen: readonly AskedValue[],
): Promise<BadValue[]> {
  if (seen.length === 0) return [];
  const { game_id, question } = restoration;
  const bounds = await listBounds(group, game_id, question.stats);
  const read = await readValues(group, restoration, seen);
  return seen.flatMap((asked, index) => {
    const { value, after, has_changes } = read[index]!;
    const stat = bounds.get(asked.key);
    if (!has_changes || stat === undefined) return [];
    const is_out_of_bounds = findLeftBound(asked.aggregation, value, after, stat) !== null;
    return [{ ...asked, value, after, is_out_of_bounds }];
  });
}

const insertFound = (
  tx: Queryable,
  { game_id, environment, restoration_id }: StatRestoration,
  found: readonly BadValue[],
): Promise<number> =>
  tx.execute(sql`
    INSERT INTO restored_stats
      (game_id, environment, player_id, key, restoration_id, state, is_out_of_bounds, value, value_after)
    SELECT found.game_id, found.environment, found.player_id, found.key, ${restoration_id}::uuid,
           'waiting', is_out_of_bounds, value, after
    FROM ${rowsAs(
      'found',
      found.map(({ aggregation: _, ...value }) => ({ game_id, environment, ...value })),
      {
        game_id: 'uuid',
        environment: 'environment',
        player_id: 'text',
        key: 'text',
        value: 'numeric',
        after: 'numeric',
        is_out_of_bounds: 'boolean',
      },
    )}
    -- An erasure of the player waits, and then erases the row too.
    CROSS JOIN LATERAL (
      SELECT FROM players
      WHERE players.game_id = found.game_id AND players.environment = found.environment
        AND players.player_id = found.player_id
      OFFSET 0
      FOR KEY SHARE
    ) AS known
    ON CONFLICT DO NOTHING`);
