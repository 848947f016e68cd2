import { MAX_MERGED_SUBMITS } from '@overworld/contract/players/merges';
import { names, sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { exportRows } from '../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { removePlayer } from './entries/entry-removal.ts';
import { mergeScores } from './entries/player-merge.ts';
import { withMetadata } from './entries/player-scores.ts';

/** SQL of the order in which one of two rewards of a season stays: a given one first, then the one of the better rank. */
const orderOf = (row: Sql) => sql`
  (CASE ${row}.state WHEN 'given' THEN 0 WHEN 'due' THEN 1 WHEN 'held' THEN 2 ELSE 3 END, ${row}.rank)`;

/** SQL of a column of the reward that a merged player keeps. Each season rewards a player once. */
const ofBetterReward = (column: string): Sql => sql`
  CASE WHEN ${orderOf(sql`EXCLUDED`)} < ${orderOf(sql`known`)}
    THEN ${names([`EXCLUDED.${column}`])} ELSE ${names([`known.${column}`])} END`;

/**
 * The scores of players, including past seasons: public ones, recorded submits, hidden ones, bans, and other
 * decisions. The first source erases and merges all of them.
 */
export const SCORE_SOURCES: readonly PlayerDataSource[] = [
  {
    name: 'scores',
    tables: [
      { table: 'leaderboard_entries', merge: 'by_hand', erase: 'by_hand' },
      { table: 'leaderboard_held_scores', merge: 'by_hand', erase: 'by_hand' },
      {
        table: 'leaderboard_submits',
        merge: 'move',
        most_merged: { rows: MAX_MERGED_SUBMITS, things: 'recorded submits' },
      },
      { table: 'leaderboard_decisions', merge: 'by_hand' },
      {
        table: 'leaderboard_rewarded_players',
        merge: {
          key: ['board_name', 'season'],
          columns: {
            rank: ofBetterReward('rank'),
            reward: ofBetterReward('reward'),
            state: ofBetterReward('state'),
            message_id: ofBetterReward('message_id'),
            given_at: ofBetterReward('given_at'),
          },
        },
      },
      {
        table: 'leaderboard_submit_keys',
        merge: {
          key: ['board_name', 'submit_key'],
          columns: { body_hash: 'keep', expires_at: 'latest' },
        },
      },
    ],
    exportPlayer: exportRows({
      columns: sql`board_name, season, score, tie_value, player_name, updated_at, metadata`,
      from: sql`leaderboard_entries`,
      order: ['board_name', 'season'],
      // Each entry may have 8 KB of metadata.
      page_rows: 250,
      toExported: withMetadata,
    }),
    erasePlayer: removePlayer,
    mergePlayer: mergeScores,
  },
  {
    name: 'score_submits',
    tables: [],
    exportPlayer: exportRows({
      columns: sql`board_name, season, score, score_before, outcome, rule, submitted_at, is_verified,
        network`,
      from: sql`leaderboard_submits`,
      order: ['board_name', 'version', 'place'],
    }),
  },
  {
    name: 'hidden_scores',
    tables: [],
    exportPlayer: exportRows({
      columns: sql`board_name, season, state, score, tie_value, player_name, metadata::json AS metadata,
        reached_at, rule, network`,
      from: sql`leaderboard_held_scores`,
      order: ['board_name', 'season', 'seq', 'held_id'],
    }),
  },
  {
    name: 'season_rewards',
    tables: [],
    exportPlayer: exportRows({
      columns: sql`board_name, season, rank, state, given_at`,
      from: sql`leaderboard_rewarded_players`,
      order: ['board_name', 'season'],
    }),
  },
  {
    name: 'leaderboard_bans',
    tables: [],
    exportPlayer: exportRows({
      columns: sql`nullif(board_name, '') AS board_name, reason, decided_at, undone_at`,
      from: sql`leaderboard_decisions`,
      where: sql`kind = 'ban'`,
      order: ['decided_at', 'decision_id'],
    }),
  },
  {
    name: 'taken_off_scores',
    tables: [],
    exportPlayer: exportRows({
      columns: sql`board_name, kind, scores, reason, decided_at, undone_at`,
      from: sql`leaderboard_decisions`,
      where: sql`kind <> 'ban'`,
      order: ['decided_at', 'decision_id'],
    }),
  },
];
