import type { MergeChanges } from '@overworld/contract/players/merges';
import type { Queryable } from '../database/database.ts';
import { selectCount } from '../database/select-count.ts';
import { joinSql, names, sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { conflict } from '../errors.ts';
import type { ColumnRule, JoinRule, Merge, PlayerDataSource } from './player-data-source.ts';
import { isOfPlayer } from './player-key.ts';
import type { PlayerKey } from './player-key.ts';

/** Erases the data of a source, in the transaction that deletes the player. */
export async function eraseData(
  tx: Queryable,
  source: PlayerDataSource,
  player: PlayerKey,
): Promise<void> {
  await source.erasePlayer?.(tx, player);
  for (const { table, erase } of source.tables) {
    if (erase !== 'by_hand') await deleteRows(tx, table, player);
  }
}

/**
 * Moves the data of a source, in the transaction that deletes the player who ends.
 * @returns The changes that callers see, in several parts.
 * @throws ApiError 409 when the player who stays would exceed a limit.
 */
export async function mergeData(
  tx: Queryable,
  source: PlayerDataSource,
  merge: Merge,
): Promise<Partial<MergeChanges>[]> {
  const changes = [(await source.mergePlayer?.(tx, merge)) ?? {}];
  for (const { table, merge: rule } of source.tables) {
    if (rule === 'by_hand') continue;
    if (rule === 'delete') await deleteRows(tx, table, merge.from);
    else if (rule === 'move') await moveRows(tx, table, merge);
    else changes.push(await joinRows(tx, table, rule, merge));
  }
  return changes;
}

/**
 * Refuses to merge a player who has more rows than can be moved while ingest is stopped. Called before ingest
 * is stopped.
 * @throws ApiError 409 when there are too many rows.
 */
export async function requireMovable(
  tx: Queryable,
  { tables }: PlayerDataSource,
  from: PlayerKey,
): Promise<void> {
  for (const { table, most_merged } of tables) {
    if (most_merged === undefined) continue;
    const count = await selectCount(tx, sql`${names([table])} WHERE ${isOfPlayer(from)}`);
    if (count <= most_merged.rows) continue;
    throw conflict(
      `The player of from_player_id has ${count} ${most_merged.things}, and a player who ends can have at most ${most_merged.rows}`,
    );
  }
}

const deleteRows = (tx: Queryable, table: string, player: PlayerKey): Promise<number> =>
  tx.execute(sql`DELETE FROM ${names([table])} WHERE ${isOfPlayer(player)}`);

const moveRows = (tx: Queryable, table: string, { player, from }: Merge): Promise<number> =>
  tx.execute(sql`
    UPDATE ${names([table])} SET player_id = ${player.player_id} WHERE ${isOfPlayer(from)}`);

async function joinRows(
  tx: Queryable,
  table: string,
  { key, columns, run }: JoinRule,
  { player, from }: Merge,
): Promise<Partial<MergeChanges>> {
  const rules = Object.entries(columns).filter(([, rule]) => rule !== 'reset');
  const moved = names([...key, ...rules.map(([column]) => column)]);
  const join = sql`
    WITH moved AS (
      DELETE FROM ${names([table])} WHERE ${isOfPlayer(from)} RETURNING *
    )
    INSERT INTO ${names([table])} AS known (game_id, environment, player_id, ${moved})
    SELECT game_id, environment, ${player.player_id}, ${moved}
    FROM moved
    ORDER BY ${names(['game_id', 'environment', ...key])}
    ON CONFLICT (${names(['game_id', 'environment', 'player_id', ...key])}) DO UPDATE
    SET ${joinSql(rules.map(joinColumn), ', ')}`;
  if (run !== undefined) return run(tx, join);
  await tx.execute(join);
  return {};
}

const JOINED: Readonly<Record<Exclude<ColumnRule, 'reset' | Sql>, (column: Sql) => Sql>> = {
  keep: (column) => sql`known.${column}`,
  earliest: (column) => sql`LEAST(known.${column}, EXCLUDED.${column})`,
  latest: (column) => sql`GREATEST(known.${column}, EXCLUDED.${column})`,
  sum: (column) => sql`known.${column} + EXCLUDED.${column}`,
};

function joinColumn([name, rule]: [string, ColumnRule]): Sql {
  const column = names([name]);
  return sql`${column} = ${typeof rule === 'string' ? JOINED[rule as keyof typeof JOINED](column) : rule}`;
}
