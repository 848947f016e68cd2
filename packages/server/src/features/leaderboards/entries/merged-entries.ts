import type { MergeChanges } from '@overworld/contract/players/merges';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { isEntryOf, seasonArrays } from '../store.ts';
import { isBetter } from '../submits/decide-submits.ts';
import type { EntryChange } from '../store.ts';

type MergedScore = MergeChanges['scores'][number];

interface FoundEntry {
  /** The index of the entry's season in the list of seasons. */
  place: number;
  player_id: string;
  entry_number: number;
  score: number;
  seq: number;
}

/** The entries of both players in one season. */
interface Pair {
  season: LockedSeason;
  source: FoundEntry;
  target: FoundEntry | undefined;
  keeps_source: boolean;
}

/**
 * Merges the entries of two players in locked seasons. The better entry stays, with its `seq`; of two equally
 * good entries, the earlier one stays. An entry that moves to the other player gets a new entry number,
 * because one number and `seq` must always stand for the same player's entry.
 * @returns the scores that stay, and the changes, which the caller must store.
 */
export async function mergeEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_id: string,
  from_player_id: string,
): Promise<{ scores: MergedScore[]; changes: SeasonChange[] }> {
  const found = await listEntries(tx, seasons, [player_id, from_player_id]);
  const placesOf = (id: string) =>
    new Map(found.filter((entry) => entry.player_id === id).map((entry) => [entry.place, entry]));
  const [sources, targets] = [placesOf(from_player_id), placesOf(player_id)];
  const pairs = seasons.flatMap((season, place): Pair[] => {
    const [source, target] = [sources.get(place), targets.get(place)];
    if (source === undefined) return [];
    const keeps_source = target === undefined || isAhead(season, source, target);
    return [{ season, source, target, keeps_source }];
  });
  const moved = pairs.filter(({ keeps_source }) => keeps_source);
  const dropped = pairs.filter(({ keeps_source }) => !keeps_source);
  await deleteEntries(tx, seasonsOf(dropped), from_player_id);
  await deleteEntries(tx, seasonsOf(moved), player_id);
  await moveEntries(tx, seasonsOf(moved), from_player_id, player_id);
  return { scores: pairs.map(toScore), changes: pairs.map(toChange) };
}

const isAhead = ({ sort_order }: LockedSeason, first: FoundEntry, second: FoundEntry): boolean =>
  isBetter(sort_order, first.score, second.score) ||
  (first.score === second.score && first.seq < second.seq);

const seasonsOf = (pairs: readonly Pair[]): LockedSeason[] => pairs.map(({ season }) => season);

function listEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_ids: readonly string[],
): Promise<FoundEntry[]> {
  return tx.query<FoundEntry>(sql`
    SELECT ordinality::integer - 1 AS place, player_id, entry_number, score, seq
    FROM unnest(${seasonArrays(seasons)})
      WITH ORDINALITY AS asked (game_id, environment, board_name, season, ordinality)
    JOIN leaderboard_entries AS entry USING (game_id, environment, board_name, season)
    WHERE player_id = ANY(${[...player_ids]}::text[])`);
}

async function deleteEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_id: string,
): Promise<void> {
  if (seasons.length === 0) return;
  await tx.execute(sql`
    DELETE FROM leaderboard_entries AS entry
    USING unnest(${seasonArrays(seasons)}) AS asked (game_id, environment, board_name, season)
    WHERE ${isEntryOf(sql`asked`, sql`${player_id}`)}`);
}

async function moveEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  from_player_id: string,
  player_id: string,
): Promise<void> {
  if (seasons.length === 0) return;
  await tx.execute(sql`
    UPDATE leaderboard_entries AS entry
    SET player_id = ${player_id}, entry_number = asked.entry_number
    FROM unnest(${seasonArrays(seasons)},
                ${seasons.map(({ next_entry_number }) => next_entry_number)}::integer[])
      AS asked (game_id, environment, board_name, season, entry_number)
    WHERE ${isEntryOf(sql`asked`, sql`${from_player_id}`)}`);
}

const toScore = ({ season, source, target, keeps_source }: Pair): MergedScore => ({
  board_name: season.board_name,
  season: season.season,
  score: keeps_source ? source.score : target!.score,
  kept: keeps_source ? 'source' : 'target',
});

function toChange({ season, source, target, keeps_source }: Pair): SeasonChange {
  const gone: EntryChange[] = [[source.entry_number]];
  if (keeps_source && target !== undefined) gone.push([target.entry_number]);
  const moved: EntryChange = [season.next_entry_number, source.score, source.seq];
  return {
    season,
    entries: keeps_source ? [...gone, moved] : gone,
    added_entries: target === undefined ? 0 : -1,
    new_numbers: keeps_source ? 1 : 0,
  };
}
