import { sql } from '../../platform/database/sql.ts';
import { exportRows } from '../../platform/players/export-rows.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import { joinedValue } from './changes/change-store.ts';

const known = sql`known`;
const EXCLUDED = sql`EXCLUDED`;
const joined = joinedValue(sql`known.aggregation`, known, EXCLUDED);

/** Joins the bases of two players by the aggregation. One of them may have none. */
const joinedBase = sql`
  CASE
    WHEN known.base IS NULL THEN EXCLUDED.base
    WHEN EXCLUDED.base IS NULL THEN known.base
    ELSE CASE known.aggregation
      WHEN 'sum' THEN known.base + EXCLUDED.base
      WHEN 'max' THEN GREATEST(known.base, EXCLUDED.base)
      WHEN 'min' THEN LEAST(known.base, EXCLUDED.base)
      ELSE CASE WHEN EXCLUDED.base_at >= known.base_at THEN EXCLUDED.base ELSE known.base END
    END
  END`;

/** The statistics of players. A merge joins the values, and the hours one by one, by the aggregation. */
export const statSource: PlayerDataSource = {
  name: 'stats',
  tables: [
    // Erased first, so that no undo of a restoration brings a value back. Their hours are those of the player who ends.
    { table: 'restored_stats', merge: 'delete' },
    {
      table: 'player_stats',
      merge: {
        key: ['key'],
        columns: {
          aggregation: 'keep',
          value: joined,
          changed_at: 'latest',
          base: joinedBase,
          base_at: 'latest',
        },
      },
    },
    {
      table: 'player_stat_hours',
      merge: {
        key: ['key', 'hour'],
        columns: { aggregation: 'keep', value: joined, changed_at: 'latest' },
      },
    },
  ],
  exportPlayer: exportRows({
    columns: sql`key, aggregation, value::float8 AS value, changed_at,
      base::float8 AS base, base_at,
      (SELECT coalesce(json_agg(json_build_object('hour', hour, 'value', hours.value) ORDER BY hour),
                       '[]')
       FROM player_stat_hours AS hours
       WHERE hours.game_id = had.game_id AND hours.environment = had.environment
         AND hours.player_id = had.player_id AND hours.key = had.key) AS hours`,
    from: sql`player_stats AS had`,
    order: ['key'],
    page_rows: 100,
  }),
};
