import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';

/** Changes to a row of `daily_players`. */
interface PlayerCounts {
  active_players: number;
  new_players: number;
  weekly_change: number;
  monthly_change: number;
}

/** Gathers changes to the counts of one environment. Days are counted from 1970-01-01. */
export interface ActivityCounts {
  addPlayers(day: number, change: Partial<PlayerCounts>): void;
  addRetained(first_day: number, day_number: number, change: number): void;
  /** Returns an object that adds changes to the same counts with the opposite sign. */
  negated(): ActivityCounts;
}

type DayRow = Tenant & PlayerCounts & { day: number };
type CohortRow = Tenant & { first_day: number; day_number: number; player_count: number };

/** Gathers changes to the counts of several games, and writes them together. */
export function createActivityChanges() {
  const days = new Map<string, DayRow>();
  const cohorts = new Map<string, CohortRow>();

  const createCounts = (tenant: Tenant, sign: 1 | -1): ActivityCounts => {
    const { game_id, environment } = tenant;
    const prefix = `${game_id} ${environment} `;
    return {
      addPlayers(day, change) {
        const key = prefix + day;
        let row = days.get(key);
        if (row === undefined) {
          row = { game_id, environment, day, ...NO_PLAYERS };
          days.set(key, row);
        }
        row.active_players += sign * (change.active_players ?? 0);
        row.new_players += sign * (change.new_players ?? 0);
        row.weekly_change += sign * (change.weekly_change ?? 0);
        row.monthly_change += sign * (change.monthly_change ?? 0);
      },
      addRetained(first_day, day_number, change) {
        const key = `${prefix}${first_day} ${day_number}`;
        const row = cohorts.get(key);
        if (row !== undefined) row.player_count += sign * change;
        else {
          const player_count = sign * change;
          cohorts.set(key, { game_id, environment, first_day, day_number, player_count });
        }
      },
      negated: () => createCounts(tenant, sign === 1 ? -1 : 1),
    };
  };

  return {
    of: (tenant: Tenant): ActivityCounts => createCounts(tenant, 1),
    /** Adds all changes to `daily_players` and `retention_counts`. */
    async write(tx: Queryable) {
      await addPlayerCounts(tx, [...days.values()]);
      await addRetentionCounts(tx, [...cohorts.values()]);
    },
  };
}

const NO_PLAYERS: PlayerCounts = {
  active_players: 0,
  new_players: 0,
  weekly_change: 0,
  monthly_change: 0,
};

async function addPlayerCounts(tx: Queryable, rows: readonly DayRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    INSERT INTO daily_players AS known
      (game_id, environment, day, active_players, new_players, weekly_change, monthly_change)
    SELECT game_id, environment, DATE '1970-01-01' + day, active_players, new_players,
           weekly_change, monthly_change
    FROM ${rowsAs('change', rows, {
      game_id: 'uuid',
      environment: 'environment',
      day: 'integer',
      active_players: 'bigint',
      new_players: 'bigint',
      weekly_change: 'bigint',
      monthly_change: 'bigint',
    })}
    ORDER BY game_id, environment, day
    ON CONFLICT (game_id, environment, day) DO UPDATE
    SET active_players = known.active_players + EXCLUDED.active_players,
        new_players = known.new_players + EXCLUDED.new_players,
        weekly_change = known.weekly_change + EXCLUDED.weekly_change,
        monthly_change = known.monthly_change + EXCLUDED.monthly_change`);
}

async function addRetentionCounts(tx: Queryable, rows: readonly CohortRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    INSERT INTO retention_counts AS known
      (game_id, environment, first_day, day_number, player_count)
    SELECT game_id, environment, DATE '1970-01-01' + first_day, day_number, player_count
    FROM ${rowsAs('change', rows, {
      game_id: 'uuid',
      environment: 'environment',
      first_day: 'integer',
      day_number: 'integer',
      player_count: 'bigint',
    })}
    ORDER BY game_id, environment, first_day, day_number
    ON CONFLICT (game_id, environment, first_day, day_number) DO UPDATE
    SET player_count = known.player_count + EXCLUDED.player_count`);
}
