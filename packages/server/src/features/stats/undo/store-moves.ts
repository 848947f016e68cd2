import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { isOfRestoration } from '../../../platform/restorations/restoration.ts';
import { joinHours } from '../changes/change-store.ts';
import type { StatRestoration } from './restoration.ts';
import { isAskedHour, isOfValue, takenHours, valuesAsked } from './values.ts';
import type { AskedValue } from './values.ts';

/** A value that a step of a restoration moves, as PostgreSQL writes decimals. */
export interface Move extends AskedValue {
  /** The value before; null if there is none. */
  before: string | null;
  /** The value after; null if nothing is left. */
  target: string | null;
  /** The change of a `sum` in the present hour besides the hours that are taken or brought back. */
  correction: string;
  /** When the last of the changes was of which the value is joined; null if nothing is left. */
  changed_at: string | null;
}

/**
 * Takes the hours of values, or brings them back for an undo, and stores what they join to. The values are locked.
 * @throws the error of PostgreSQL about `player_stats_pkey` when another transaction has just stored the first value
 * of a player.
 */
export async function storeMoves(
  tx: Queryable,
  restoration: StatRestoration,
  moves: readonly Move[],
): Promise<void> {
  if (restoration.state === 'undoing') await bringHoursBack(tx, restoration, moves);
  else await takeHours(tx, restoration, moves);
  const corrected = moves.filter(isCorrected);
  if (corrected.length > 0) await correctSums(tx, restoration, corrected);
  await storeValues(tx, restoration, moves);
}

const isCorrected = ({ correction }: Move): boolean => Number(correction) !== 0;

async function takeHours(
  tx: Queryable,
  restoration: StatRestoration,
  moves: readonly Move[],
): Promise<void> {
  const asked_hour = isAskedHour(restoration.question);
  const moved = sql`${valuesAsked(moves)} AS moved (player_id, key, aggregation)`;
  await tx.execute(sql`
    UPDATE restored_stats AS item
    SET taken = (
      SELECT jsonb_agg(jsonb_build_object('hour', hour, 'value', hours.value, 'changed_at', changed_at))
      FROM player_stat_hours AS hours
      WHERE ${isOfValue(restoration, sql`hours`, sql`item`)} AND ${asked_hour}
    )
    FROM ${moved}
    WHERE ${isOfRestoration(restoration)} AND item.player_id = moved.player_id
      AND item.key = moved.key`);
  await tx.execute(sql`
    DELETE FROM player_stat_hours AS hours
    USING ${moved}
    WHERE ${isOfValue(restoration, sql`hours`, sql`moved`)} AND ${asked_hour}`);
}

/** A cluster takes no join in an INSERT with a conflict, unless its rows come from a materialized expression. */
const bringHoursBack = (
  tx: Queryable,
  restoration: StatRestoration,
  moves: readonly Move[],
): Promise<number> =>
  tx.execute(sql`
    WITH back AS MATERIALIZED (
      SELECT game_id, environment, player_id, key, hour, moved.aggregation, value, taken.changed_at
      FROM (
        SELECT game_id, environment, player_id, key, taken FROM restored_stats
        WHERE ${isOfRestoration(restoration)}
      ) AS item
      JOIN ${valuesAsked(moves)} AS moved (player_id, key, aggregation) USING (player_id, key)
      CROSS JOIN LATERAL ${takenHours}
    )
    INSERT INTO player_stat_hours AS known
      (game_id, environment, player_id, key, hour, aggregation, value, changed_at)
    SELECT game_id, environment, player_id, key, hour, aggregation, value, changed_at FROM back
    ORDER BY player_id, key, hour
    ${joinHours}`);

/** Adds to sums in the present hour, or in the next one if the clock of the database is behind. */
const correctSums = (
  tx: Queryable,
  { game_id, environment, question }: StatRestoration,
  corrected: readonly Move[],
): Promise<number> =>
  tx.execute(sql`
    INSERT INTO player_stat_hours AS known
      (game_id, environment, player_id, key, hour, aggregation, value, changed_at)
    SELECT sent.game_id, sent.environment, player_id, key,
           GREATEST(date_trunc('hour', statement_timestamp(), 'UTC'), ${question.changed_until}::timestamptz),
           'sum', correction, statement_timestamp()
    FROM ${rowsAs(
      'sent',
      corrected.map(({ player_id, key, correction }) => ({
        game_id,
        environment,
        player_id,
        key,
        correction,
      })),
      {
        game_id: 'uuid',
        environment: 'environment',
        player_id: 'text',
        key: 'text',
        correction: 'numeric',
      },
    )}
    ORDER BY player_id, key
    ${joinHours}`);

async function storeValues(
  tx: Queryable,
  restoration: StatRestoration,
  moves: readonly Move[],
): Promise<void> {
  const { game_id, environment } = restoration;
  // A cluster takes no time of the database within CASE or COALESCE.
  const now = new Date().toISOString();
  const rows = moves.map((move) => ({
    game_id,
    environment,
    player_id: move.player_id,
    key: move.key,
    aggregation: move.aggregation,
    is_new: move.before === null,
    value: move.target,
    changed_at: isCorrected(move) ? now : move.changed_at,
  }));
  const moved = rowsAs('moved', rows, {
    game_id: 'uuid',
    environment: 'environment',
    player_id: 'text',
    key: 'text',
    aggregation: 'text',
    is_new: 'boolean',
    value: 'numeric',
    changed_at: 'timestamptz',
  });
  const is_moved = isOfValue(restoration, sql`known`, sql`moved`);
  await tx.execute(sql`
    UPDATE player_stats AS known SET value = moved.value, changed_at = moved.changed_at
    FROM ${moved}
    WHERE ${is_moved} AND moved.value IS NOT NULL`);
  if (moves.some(({ target }) => target === null)) {
    await tx.execute(sql`
      DELETE FROM player_stats AS known USING ${moved} WHERE ${is_moved} AND moved.value IS NULL`);
  }
  if (moves.some(({ before }) => before === null)) {
    await tx.execute(sql`
      INSERT INTO player_stats (game_id, environment, player_id, key, aggregation, value, changed_at)
      SELECT game_id, environment, player_id, key, aggregation, value, changed_at FROM ${moved}
      WHERE is_new
      ORDER BY player_id, key`);
  }
}
