import { MAX_SUBMIT_KEYS } from '@overworld/contract/leaderboards/kept-scores';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { createKeyTrimmer } from '../../../platform/players/key-trimmer.ts';
import { nameOfSeason } from '../store.ts';
import type { Submit } from './decide-submits.ts';

type Sender = Submit['board'] & { player_id: string };

/** Makes the trimmer that keeps only the newest keys of each player on a board. */
export const createSubmitKeyTrimmer = (database: GroupedDatabase) =>
  createKeyTrimmer<Sender>(database, {
    nameOf: ({ player_id, ...board }) => `${nameOfSeason(board, null)} ${player_id}`,
    min_keys: 1,
    deleteOldKeys,
  });

export type SubmitKeyTrimmer = ReturnType<typeof createSubmitKeyTrimmer>;

const isOfSender = sql`stored.game_id = sender.game_id AND stored.environment = sender.environment
  AND stored.player_id = sender.player_id AND stored.board_name = sender.board_name`;

const deleteOldKeys = (database: Database, senders: readonly Sender[]): Promise<number> =>
  database.execute(sql`
    DELETE FROM leaderboard_submit_keys AS stored
    USING ${rowsAs('sender', senders, {
      game_id: 'uuid',
      environment: 'environment',
      player_id: 'text',
      board_name: 'text',
    })}
    CROSS JOIN LATERAL (
      SELECT expires_at FROM leaderboard_submit_keys AS stored
      WHERE ${isOfSender}
      ORDER BY expires_at DESC
      OFFSET ${MAX_SUBMIT_KEYS - 1}
      LIMIT 1
    ) AS last_kept
    WHERE ${isOfSender} AND stored.expires_at < last_kept.expires_at`);
