import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isSeasonOf, nextVersion, seasonArrays } from '../store.ts';
import type { EntryChange, LoggedChange, SeasonKey } from '../store.ts';
import type { LockedSeason } from './season-store.ts';

/** A change to a locked season that does not come from submits. */
export interface SeasonChange {
  season: LockedSeason;
  /** Empty if only the policy of the season has changed. */
  entries: readonly EntryChange[];
  /** The change in the number of entries. */
  added_entries: number;
  /** The number of entries that get new entry numbers. Each takes the next number of the season. */
  new_numbers: number;
}

/**
 * Returns a change for each of these seasons. A season that is not in `changes` only gets a new version, so
 * that submits that were decided at its previous version are decided again.
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
  await tx.execute(sql`
    UPDATE leaderboard_seasons AS season
    SET version = asked.version, total_entries = total_entries + added_entries,
      next_entry_number = next_entry_number + new_numbers
    FROM unnest(${seasonArrays(changes.map(({ season }) => season))}, ${versions}::bigint[],
                ${changes.map(({ added_entries }) => added_entries)}::integer[],
                ${changes.map(({ new_numbers }) => new_numbers)}::integer[])
      AS asked (game_id, environment, board_name, season, version, added_entries, new_numbers)
    WHERE ${isSeasonOf(sql`asked`)}`);
  await insertChanges(
    tx,
    changes.map(({ season, entries }, index) => ({
      ...season,
      version: versions[index]!,
      previous_version: season.version,
      entries,
    })),
  );
}

/** Logs changes of seasons for all servers. */
export async function insertChanges(
  tx: Queryable,
  changes: readonly (SeasonKey & Omit<LoggedChange, 'entries'> & Pick<SeasonChange, 'entries'>)[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO leaderboard_changes
      (game_id, environment, board_name, season, version, previous_version, changes)
    SELECT *
    FROM unnest(${seasonArrays(changes)},
                ${changes.map(({ version }) => version)}::bigint[],
                ${changes.map(({ previous_version }) => previous_version)}::bigint[],
                ${changes.map(({ entries }) => JSON.stringify(entries))}::text[])`);
}
