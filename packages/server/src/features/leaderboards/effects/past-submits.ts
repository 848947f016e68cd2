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

/** What a rule about time asks about a player before its first submit of late. */
export interface Earlier {
  /** When the player reached its public score; null if that is not known, or there is none. */
  reached_ms: number | null;
  /** The last submit that was not refused; null if there is none in the ledger. */
  last_submit_ms: number | null;
}

/**
 * Finds out about players before their first submits from a time on: from the ledger before it, and from their
 * entries if these are still the same.
 */
export async function findEarlier(
  database: EffectDatabase,
  board: BoardKey,
  since: string,
  firsts: readonly PastSubmit[],
  signal: AbortSignal,
): Promise<Map<string, Earlier>> {
  if (firsts.length === 0) return new Map();
  const { game_id, environment, board_name } = board;
  // Not "=": before a new ledger has statistics, the planner would take the index by age, and each look-up would
  // read the whole ledger of the board.
  const key = sql`(submit.game_id, submit.environment, submit.player_id, submit.board_name)`;
  const asked_key = sql`(${game_id}::uuid, ${environment}::environment, asked.player_id, ${board_name})`;
  const isEarlier = sql`${key} >= ${asked_key} AND ${key} <= ${asked_key}
    AND submit.game_id = ${game_id}::uuid AND submit.version < ${versionAt(since)}::bigint`;
  const newest_first = sql`submit.game_id DESC, submit.environment DESC, submit.player_id DESC,
    submit.board_name DESC, submit.version DESC, submit.place DESC`;
  const rows = await database.query<Earlier & { player_id: string }>(
    sql`
      SELECT asked.player_id, last.counted_ms AS last_submit_ms,
        floor(extract(epoch FROM coalesce(noted.submitted_at, kept.updated_at)) * 1000)::bigint
          AS reached_ms
      FROM unnest(${firsts.map(({ player_id }) => player_id)}::text[],
                  ${firsts.map(({ season }) => season)}::integer[],
                  ${firsts.map(({ score_before }) => score_before)}::float8[],
                  ${firsts.map(({ submitted_ms }) => submitted_ms)}::bigint[])
        AS asked (player_id, season, score, submitted_ms)
      LEFT JOIN LATERAL (
        SELECT submit.counted_ms FROM leaderboard_submits AS submit
        WHERE ${isEarlier}
        ORDER BY ${newest_first}
        LIMIT 1
      ) AS last ON true
      LEFT JOIN LATERAL (
        SELECT submit.submitted_at FROM leaderboard_submits AS submit
        WHERE ${isEarlier} AND submit.season = asked.season AND submit.score = asked.score
          AND submit.outcome IN ('new', 'improved')
        ORDER BY ${newest_first}
        LIMIT 1
      ) AS noted ON true
      LEFT JOIN LATERAL (
        SELECT entry.updated_at FROM leaderboard_entries AS entry
        WHERE entry.game_id = ${game_id} AND entry.environment = ${environment}
          AND entry.player_id = asked.player_id AND entry.board_name = ${board_name}
          AND entry.season = asked.season AND entry.score = asked.score
          AND entry.updated_at <= to_timestamp(asked.submitted_ms / 1000.0)
        LIMIT 1
      ) AS kept ON true`,
    signal,
  );
  return new Map(rows.map(({ player_id, ...earlier }) => [player_id, earlier]));
}
