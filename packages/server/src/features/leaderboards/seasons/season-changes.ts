import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { seasonArrays } from '../store.ts';
import type { EntryChange } from '../store.ts';
import { isSeasonOf, nextVersion } from './season-versions.ts';
import type { LockedSeason } from './season-store.ts';

/** A change of a locked season that was not made by submits. */
export interface SeasonChange {
  season: LockedSeason;
  /** Empty if only the policy of the season has changed. */
  entries: readonly EntryChange[];
  /** By how much the number of entries has changed. */
  added_entries: number;
  /** How many numbers of entries were handed out. */
  new_numbers: number;
}

/**
 * Changes of all these seasons: of those without a change, none but the version. Submits that were
 * decided before are then decided again.
 */
export const changesOfAll = (
  seasons: readonly LockedSeason[],
  changes: readonly SeasonChange[],
): SeasonChange[] =>
  seasons.map(
    (season) =>
      changes.find((change) => change.season === season) ?? {
        season,
        entries: [],
        added_entries: 0,
        new_numbers: 0,
      },
  );

/** Gives locked seasons their next versions, and logs the changes for all servers. */
export async function storeSeasonChanges(
  tx: Queryable,
  changes: readonly SeasonChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const versions = changes.map(({ season }) => nextVersion(season.version));
  const asked = sql`
    unnest(${seasonArrays(changes.map(({ season }) => season))}, ${versions}::bigint[],
           ${changes.map(({ season }) => season.version)}::bigint[],
           ${changes.map(({ added_entries }) => added_entries)}::integer[],
           ${changes.map(({ new_numbers }) => new_numbers)}::integer[],
           ${changes.map(({ entries }) => JSON.stringify(entries))}::text[])
      AS asked (game_id, environment, board_name, season, version, previous_version, added_entries,
        new_numbers, changes)`;
  await tx.execute(sql`
    UPDATE leaderboard_seasons AS season
    SET version = asked.version, total_entries = total_entries + added_entries,
      next_entry_number = next_entry_number + new_numbers
    FROM ${asked}
    WHERE ${isSeasonOf(sql`asked`)}`);
  await tx.execute(sql`
    INSERT INTO leaderboard_changes
      (game_id, environment, board_name, season, version, previous_version, changes)
    SELECT game_id, environment, board_name, season, version, previous_version, changes
    FROM ${asked}`);
}
