import { sql } from '../../../platform/database/sql.ts';
import type { EffectDatabase } from '../../../platform/definitions/effects.ts';
import { readAhead } from '../../../platform/read-ahead.ts';
import { ofBoard } from '../store.ts';
import type { BoardKey } from '../store.ts';
import type { LedgerRow } from '../submits/decide-submits.ts';

/** A submit as a ledger has it. */
export interface PastSubmit extends Pick<
  LedgerRow,
  'player_id' | 'score' | 'score_before' | 'outcome' | 'rule' | 'key_id' | 'is_verified'
> {
  season: number;
  submitted_ms: number;
}

/** The number of submits that one statement reads. */
const PAGE_SIZE = 5_000;

interface PageRow extends PastSubmit {
  version: number;
  place: number;
}

/** Returns the version that a season would have at a time. */
export const versionAt = (time: string): number => Date.parse(time) * 1_000;

/** Reads the submits of a ledger from a time on, in the order in which they came. */
export function readPastSubmits(
  database: EffectDatabase,
  board: BoardKey,
  since: string,
  signal: AbortSignal,
): AsyncGenerator<PastSubmit[]> {
  const first = { version: versionAt(since) - 1, place: 0, player_id: '' };
  return readAhead<PageRow[]>(async (page) => {
    if (page !== null && page.length < PAGE_SIZE) return null;
    const last = page?.at(-1) ?? first;
    const rows = await database.query<PageRow>(
      sql`
        SELECT version, place, season, player_id, score, score_before, outcome::text AS outcome,
          rule, key_id, is_verified,
          floor(extract(epoch FROM submitted_at) * 1000)::bigint AS submitted_ms
        FROM leaderboard_submits
        WHERE ${ofBoard(board)} AND version >= ${last.version}::bigint
          AND (version, place, player_id)
            > (${last.version}::bigint, ${last.place}::integer, ${last.player_id})
        ORDER BY version, place, player_id
        LIMIT ${PAGE_SIZE}`,
      signal,
    );
    return rows.length === 0 ? null : rows;
  });
}

/** The state of a player about which a rule about time asks, before the player's first submit of late. */
export interface Earlier {
  /** When the player reached its public score; null if that is not known, or there is none. */
  reached_ms: number | null;
  /** The last submit that was not refused; null if there is none in the ledger. */
  counted_ms: number | null;
}

/** A score that a player has reached. */
interface Reached {
  player_id: string;
  season: number;
  score: number;
  reached_ms: number;
}

/**
 * Finds out about players before their first submits from a time on: from the ledger before it, and from their
 * entries if these are still the same. Each statement reads the rows of all players at once: before a new ledger
 * has statistics, a look-up for each player could read the whole ledger.
 */
export async function findEarlier(
  database: EffectDatabase,
  board: BoardKey,
  since: string,
  firsts: readonly PastSubmit[],
  signal: AbortSignal,
): Promise<Map<string, Earlier>> {
  if (firsts.length === 0) return new Map();
  const ids = firsts.map(({ player_id }) => player_id);
  const isTheirs = sql`${ofBoard(board)} AND player_id = ANY(${ids}::text[])`;
  const isEarlier = sql`${isTheirs} AND version < ${versionAt(since)}::bigint`;
  const last = await database.query<{ player_id: string; counted_ms: number | null }>(
    sql`
      SELECT DISTINCT ON (player_id) player_id, counted_ms FROM leaderboard_submits
      WHERE ${isEarlier}
      ORDER BY player_id, version DESC, place DESC`,
    signal,
  );
  const noted = await database.query<Reached>(
    sql`
      SELECT DISTINCT ON (player_id) player_id, season, score,
        floor(extract(epoch FROM submitted_at) * 1000)::bigint AS reached_ms
      FROM leaderboard_submits
      WHERE ${isEarlier} AND outcome IN ('new', 'improved')
      ORDER BY player_id, version DESC, place DESC`,
    signal,
  );
  const kept = await database.query<Reached>(
    sql`
      SELECT player_id, season, score,
        floor(extract(epoch FROM updated_at) * 1000)::bigint AS reached_ms
      FROM leaderboard_entries
      WHERE ${isTheirs} AND season = ANY(${[...new Set(firsts.map(({ season }) => season))]}::integer[])`,
    signal,
  );
  const reached = Map.groupBy([...noted, ...kept], ({ player_id }) => player_id);
  const last_submits = new Map(last.map(({ player_id, counted_ms }) => [player_id, counted_ms]));
  return new Map(
    firsts.map(({ player_id, season, score_before, submitted_ms }) => {
      const found = reached
        .get(player_id)
        ?.find(
          (each) =>
            each.season === season &&
            each.score === score_before &&
            each.reached_ms <= submitted_ms,
        );
      const counted_ms = last_submits.get(player_id) ?? null;
      return [player_id, { reached_ms: found?.reached_ms ?? null, counted_ms }];
    }),
  );
}
