import type { KeyCaller } from '../auth/api-keys.ts';
import type { Database } from '../database/database.ts';
import { forRowsOfEachGroup } from '../database/group-rows.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import { rowsAs, sql } from '../database/sql.ts';
import type { PlayerCall } from './player-call.ts';

interface Counts {
  with_token: number;
  without_token: number;
}

const COLUMNS = {
  game_id: 'uuid',
  environment: 'environment',
  with_token: 'bigint',
  without_token: 'bigint',
} as const;

export function createCallCounts(database: GroupedDatabase) {
  // A caller is the same object for as long as its key stays in memory, so a look-up takes only
  // nanoseconds.
  let counted = new Map<KeyCaller, Counts>();
  return {
    note({ caller, player_id }: PlayerCall) {
      let counts = counted.get(caller);
      if (counts === undefined) {
        counts = { with_token: 0, without_token: 0 };
        counted.set(caller, counts);
      }
      if (player_id === null) counts.without_token++;
      else counts.with_token++;
    },
    /** Adds the counts to those of the current hour; called by a timer and at shutdown. */
    async flush() {
      const rows = Array.from(counted, ([{ game_id, environment }, counts]) => ({
        game_id,
        environment,
        ...counts,
      }));
      counted = new Map();
      await forRowsOfEachGroup(database, rows, (group, noted) =>
        group.execute(sql`
          INSERT INTO player_call_counts AS counts
          SELECT game_id, environment, date_trunc('hour', now()), sum(with_token),
                 sum(without_token)
          FROM ${rowsAs('noted', noted, COLUMNS)}
          GROUP BY game_id, environment
          ORDER BY game_id, environment
          ON CONFLICT (game_id, environment, hour) DO UPDATE
          SET with_token = counts.with_token + EXCLUDED.with_token,
              without_token = counts.without_token + EXCLUDED.without_token`),
      );
    },
  };
}

/** The counts of calls about players, with and without a player token. */
export type CallCounts = ReturnType<typeof createCallCounts>;

/** Deletes the counts of hours that ended more than a day ago. */
export async function deleteOldCallCounts(database: Database): Promise<void> {
  await database.execute(sql`
    DELETE FROM player_call_counts WHERE hour < now() - interval '25 hours'`);
}
