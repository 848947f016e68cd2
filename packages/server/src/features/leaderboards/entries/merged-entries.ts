import { MAX_SUM } from '@overworld/contract/leaderboards/kept-scores';
import type { MergeChanges } from '@overworld/contract/players/merges';
import type { Queryable } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { SeasonChange } from '../seasons/season-changes.ts';
import type { LockedSeason } from '../seasons/season-store.ts';
import { isEntryOf, seasonArrays } from '../store.ts';
import { ranksBefore } from '../tie-break.ts';
import type { TiedScore } from '../tie-break.ts';
import type { EntryChange } from '../store.ts';

type MergedScore = MergeChanges['scores'][number];

interface FoundEntry extends TiedScore {
  /** The index of the entry's season in the list of seasons. */
  place: number;
  player_id: string;
  entry_number: number;
  seq: number;
}

/** The entries of both players in one season. */
interface Pair {
  season: LockedSeason;
  source: FoundEntry;
  target: FoundEntry | undefined;
  /** True if the entry of the player who ends stays, with the name and metadata that were sent with it. */
  keeps_source: boolean;
  /** The entry that stays. Of a board that keeps the sum, it has the sum of both. */
  kept: TiedScore & { seq: number };
  is_sum: boolean;
}

/**
 * Merges the entries of two players in locked seasons. The better entry stays, with its `seq`; of two equally
 * good entries, the earlier one stays. On a board that keeps the latest score, the later entry stays; on one that
 * keeps the sum, the later one stays with the sum of both, which was reached then. An entry that moves to the
 * other player gets a new entry number, because one number and `seq` must always stand for the same player's
 * entry.
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
    return [pairUp(season, source, target)];
  });
  // A sum gets a new entry number, so the entry of the player who stays moves too.
  const summed = pairs.filter(({ is_sum }) => is_sum);
  const moved = pairs.filter(({ keeps_source }) => keeps_source);
  const dropped = pairs.filter(({ keeps_source }) => !keeps_source);
  await deleteEntries(tx, seasonsOf(dropped), from_player_id);
  await deleteEntries(tx, seasonsOf(moved), player_id);
  await moveEntries(tx, seasonsOf(moved), from_player_id, player_id);
  await storeSums(tx, summed, player_id);
  return { scores: pairs.map(toScore), changes: pairs.map(toChange) };
}

function pairUp(season: LockedSeason, source: FoundEntry, target: FoundEntry | undefined): Pair {
  if (target === undefined) {
    return { season, source, target, keeps_source: true, kept: source, is_sum: false };
  }
  const keeps_source = isKept(season, source, target);
  const kept = keeps_source ? source : target;
  if (season.keeps !== 'sum') return { season, source, target, keeps_source, kept, is_sum: false };
  const score = Math.max(-MAX_SUM, Math.min(MAX_SUM, source.score + target.score));
  return { season, source, target, keeps_source, kept: { ...kept, score }, is_sum: true };
}

const isKept = (season: LockedSeason, first: FoundEntry, second: FoundEntry): boolean => {
  // The greater seq is that of the later score.
  if (season.keeps !== 'best') return first.seq > second.seq;
  if (ranksBefore(season, first, second)) return true;
  return !ranksBefore(season, second, first) && first.seq < second.seq;
};

const seasonsOf = (pairs: readonly Pair[]): LockedSeason[] => pairs.map(({ season }) => season);

function listEntries(
  tx: Queryable,
  seasons: readonly LockedSeason[],
  player_ids: readonly string[],
): Promise<FoundEntry[]> {
  return tx.query<FoundEntry>(sql`
    SELECT ordinality::integer - 1 AS place, player_id, entry_number, score, seq, tie_value
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

/** Stores the sums of both players, with new entry numbers, because their contents have changed. */
async function storeSums(tx: Queryable, pairs: readonly Pair[], player_id: string): Promise<void> {
  if (pairs.length === 0) return;
  await tx.execute(sql`
    UPDATE leaderboard_entries AS entry
    SET score = asked.score, entry_number = asked.entry_number
    FROM unnest(${seasonArrays(seasonsOf(pairs))}, ${pairs.map(({ kept }) => kept.score)}::float8[],
                ${pairs.map(({ season }) => season.next_entry_number)}::integer[])
      AS asked (game_id, environment, board_name, season, score, entry_number)
    WHERE ${isEntryOf(sql`asked`, sql`${player_id}`)}`);
}

const toScore = ({ season, kept, keeps_source, is_sum }: Pair): MergedScore => ({
  board_name: season.board_name,
  season: season.season,
  score: kept.score,
  kept: is_sum ? 'both' : keeps_source ? 'source' : 'target',
});

function toChange({ season, source, target, keeps_source, kept, is_sum }: Pair): SeasonChange {
  const is_moved = keeps_source || is_sum;
  const gone: EntryChange[] = [[source.entry_number]];
  if (is_moved && target !== undefined) gone.push([target.entry_number]);
  const { score, seq, tie_value } = kept;
  const moved: EntryChange = [season.next_entry_number, score, seq, tie_value];
  return {
    season,
    entries: is_moved ? [...gone, moved] : gone,
    added_entries: target === undefined ? 0 : -1,
    new_numbers: is_moved ? 1 : 0,
  };
}
