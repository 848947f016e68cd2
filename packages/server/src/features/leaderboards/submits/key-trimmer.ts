import { MAX_SUBMIT_KEYS } from '@overworld/contract/leaderboards/kept-scores';
import type { Database } from '../../../platform/database/database.ts';
import { forRowsOfEachGroup } from '../../../platform/database/group-rows.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { nameOfSeason } from '../store.ts';
import type { Submit } from './decide-submits.ts';

/**
 * The most players of boards whose keys are looked at in a turn. If more have sent keys, some keep too many until
 * they send more.
 */
const MAX_NOTED = 10_000;

type Sender = Pick<Submit, 'board' | 'player_id'>;

/**
 * Keeps only the newest keys of each player on a board, so that nobody fills the disk with keys of submits. The
 * keys of one batch have the same age, so some more may be kept.
 */
export function createKeyTrimmer(database: GroupedDatabase) {
  const noted = new Map<string, Sender>();
  return {
    /** Notes that the player has sent a key. */
    note({ board, player_id }: Sender) {
      if (noted.size < MAX_NOTED) {
        noted.set(`${nameOfSeason(board, null)} ${player_id}`, { board, player_id });
      }
    },
    /** Deletes old keys of the players who have sent some; called by a timer. */
    async trim() {
      const senders = [...noted.values()].map(({ board, player_id }) => ({ ...board, player_id }));
      noted.clear();
      await forRowsOfEachGroup(database, senders, deleteOldKeys);
    },
  };
}

export type KeyTrimmer = ReturnType<typeof createKeyTrimmer>;

const isOfSender = sql`stored.game_id = sender.game_id AND stored.environment = sender.environment
  AND stored.player_id = sender.player_id AND stored.board_name = sender.board_name`;

const deleteOldKeys = (
  database: Database,
  senders: readonly (Sender['board'] & { player_id: string })[],
): Promise<number> =>
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
