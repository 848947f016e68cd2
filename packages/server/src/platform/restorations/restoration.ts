import type { RestorationState } from '@overworld/contract/restorations/restoration-limits';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';
import { isOfTenant } from '../players/player-key.ts';
import type { Tenant } from '../players/player-key.ts';

/** The key of a restoration. */
export interface RestorationKey extends Tenant {
  restoration_id: string;
}

/**
 * What a restoration of any kind has in its row: servers find what a mistake has spoiled, restore it when somebody
 * has seen what was found, and take the restoration back if that was wrong. A row that is being deleted is none for
 * callers.
 */
export interface RestorationRow extends RestorationKey {
  state: RestorationState | 'deleting';
  /** The question of the search, with the name of the segment to which it is limited. */
  question: { segment: string | null };
  problem: string | null;
  created_by: string | null;
  created_at: string;
  counted_at: string | null;
  started_at: string | null;
  ended_at: string | null;
  undo_begun_at: string | null;
  undone_at: string | null;
  /** The players up to this id are counted. */
  after_player_id: string;
  counted_players: number;
  player_count: number;
  restored_count: number;
  skipped_count: number;
  undone_count: number;
  kept_count: number;
}

/** SQL of the columns of `RestorationRow`. */
export const sharedColumns = sql`
  game_id, environment, restoration_id, state, question, problem, created_by, created_at, counted_at,
  started_at, ended_at, undo_begun_at, undone_at, after_player_id, counted_players, player_count,
  restored_count, skipped_count, undone_count, kept_count`;

/** SQL that is true for the row, or the items, of a restoration. */
export const isOfRestoration = ({ restoration_id, ...tenant }: RestorationKey): Sql =>
  sql`${isOfTenant(tenant)} AND restoration_id = ${restoration_id}`;

/**
 * Limits the items of a statement to those of some players. PostgreSQL has no statistics about items that were
 * just counted, and without this limit it reads all of them to find a few.
 */
export const isItemOfPlayers = (players: readonly { player_id: string }[]): Sql =>
  sql`item.player_id = ANY (${players.map(({ player_id }) => player_id)}::text[])`;

/** The members that the answers about all restorations have. */
export function sharedAnswer(row: RestorationRow) {
  const { restoration_id, environment, state, problem, player_count, counted_players } = row;
  const { restored_count, skipped_count, undone_count, kept_count, created_by, created_at } = row;
  const { counted_at, started_at, ended_at, undo_begun_at, undone_at } = row;
  return {
    restoration_id,
    environment,
    state: state as RestorationState,
    problem,
    players: { count: player_count, of: counted_players },
    restored_count,
    skipped_count,
    undone_count,
    kept_count,
    created_by,
    created_at,
    counted_at,
    started_at,
    ended_at,
    undo_begun_at,
    undone_at,
  };
}

/**
 * Tells how much of the work in the present state is done.
 * @param counted The progress of the count.
 * @param found The number of items that a restoration treats.
 */
export function progressOf(
  row: RestorationRow,
  counted: { done: number; of: number },
  found: number,
): { done: number; of: number } {
  if (row.counted_at === null) return { ...counted, of: Math.max(counted.of, counted.done) };
  if (row.undo_begun_at !== null) {
    return { done: row.undone_count + row.kept_count, of: row.restored_count };
  }
  const done = row.restored_count + row.skipped_count;
  return { done, of: Math.max(done, found) };
}

/** Writes a number with its thing, such as `1 player` or `1,204 players`. */
export const many = (count: number, thing: string): string =>
  `${count.toLocaleString('en-US')} ${thing}${count === 1 ? '' : 's'}`;
