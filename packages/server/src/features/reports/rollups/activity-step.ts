import type { Queryable } from '../../../platform/database/database.ts';
import { rowsAs, sql } from '../../../platform/database/sql.ts';
import { nameOfPlayer, PLAYER_KEY } from '../../../platform/players/player-key.ts';
import type { PlayerKey } from '../../../platform/players/player-key.ts';
import { addActiveDay } from './activity.ts';
import type { ActivityHistory } from './activity.ts';
import { createActivityChanges } from './activity-counts.ts';

/** Days that are new for a player, in ascending order, counted from 1970-01-01. */
type NewDays = PlayerKey & { days: number[]; is_known: boolean };
type PlayerHistory = PlayerKey & ActivityHistory;

/**
 * Stores the days on which players were active, and counts the new days. Most events fall on a day that is
 * stored already; one look-up for the whole batch leaves such days out. Rows of players are locked in the
 * order of keys, and only then are their days read, so that nodes agree on the new days.
 */
export async function recordActivity(tx: Queryable): Promise<void> {
  const found = await listNewDays(tx);
  if (found.length === 0) return;
  const changes = createActivityChanges();
  const addDays = ({ days, ...player }: NewDays, known: ActivityHistory | null) => {
    const counts = changes.of(player);
    let history = known;
    for (const day of days) history = addActiveDay(history, day, counts);
    return history!;
  };

  const inserted = await insertPlayers(
    tx,
    found.filter(({ is_known }) => !is_known),
  );
  for (const player of found) if (inserted.has(nameOfPlayer(player))) addDays(player, null);
  const known = found.filter((player) => !inserted.has(nameOfPlayer(player)));
  const locked = await lockHistories(tx, known);
  const updated = known.map((player) => {
    const history = locked.get(nameOfPlayer(player))!;
    return { ...player, ...addDays(player, history) };
  });
  await updateHistories(tx, updated);
  await changes.write(tx);
}

/**
 * Lists the new days of players, in the order of keys. A session that is already stored and lies within one
 * day adds no new day. Only the other sessions are looked up, and events are read only for sessions that pass
 * midnight.
 */
async function listNewDays(tx: Queryable): Promise<NewDays[]> {
  return tx.query<NewDays>(sql`
    WITH changed AS MATERIALIZED (
      SELECT game_id, environment, player_id, session_id, time_zone,
             previous_started_at IS NULL AS is_new,
             (started_at AT TIME ZONE time_zone)::date AS started_on,
             (last_event_at AT TIME ZONE time_zone)::date AS ended_on
      FROM ingested_sessions
      JOIN games ON games.id = game_id
      WHERE player_id <> ''
    )
    SELECT ingested.game_id, ingested.environment, ingested.player_id,
           array_agg(day - DATE '1970-01-01' ORDER BY day) AS days,
           bool_or(first_day IS NOT NULL) AS is_known
    FROM (
      SELECT game_id, environment, player_id, started_on AS day
      FROM changed
      WHERE is_new AND started_on = ended_on
      UNION
      SELECT game_id, environment, player_id, (occurred_at AT TIME ZONE time_zone)::date
      FROM changed
      JOIN ingested_events USING (game_id, environment, player_id, session_id)
      WHERE started_on < ended_on
    ) AS ingested
    LEFT JOIN LATERAL (
      SELECT first_day, active_days
      FROM player_activity AS activity
      WHERE activity.game_id = ingested.game_id AND activity.environment = ingested.environment
        AND activity.player_id = ingested.player_id
      OFFSET 0
    ) AS known ON true
    WHERE CASE
      WHEN first_day IS NULL OR day < first_day THEN true
      WHEN day - first_day < bit_length(active_days) THEN get_bit(active_days, day - first_day) = 0
      ELSE true
    END
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3`);
}

const HISTORY = { ...PLAYER_KEY, first_day: 'integer', active_days: 'text' } as const;

/** Inserts the players that no other node has inserted meanwhile. */
async function insertPlayers(
  tx: Queryable,
  players: readonly NewDays[],
): Promise<ReadonlySet<string>> {
  if (players.length === 0) return new Set();
  const histories = players.map((player) => ({ ...player, ...makeHistory(player.days) }));
  const rows = await tx.query<PlayerKey>(sql`
    INSERT INTO player_activity (game_id, environment, player_id, first_day, active_days)
    SELECT game_id, environment, player_id, DATE '1970-01-01' + first_day, active_days::bit varying
    FROM ${rowsAs('player', histories, HISTORY)}
    ORDER BY game_id, environment, player_id
    ON CONFLICT (game_id, environment, player_id) DO NOTHING
    RETURNING game_id, environment, player_id`);
  return new Set(rows.map(nameOfPlayer));
}

function makeHistory(days: readonly number[]): ActivityHistory {
  const [first_day, last_day] = [days[0]!, days.at(-1)!];
  const places = Array.from({ length: last_day - first_day + 1 }, () => '0');
  for (const day of days) places[day - first_day] = '1';
  return { first_day, active_days: places.join('') };
}

/** Locks the players' rows in the order of their keys, and reads the days that they have now. */
async function lockHistories(
  tx: Queryable,
  players: readonly PlayerKey[],
): Promise<ReadonlyMap<string, PlayerHistory>> {
  if (players.length === 0) return new Map();
  const rows = await tx.query<PlayerHistory>(sql`
    SELECT known.game_id, known.environment, known.player_id,
           known.first_day - DATE '1970-01-01' AS first_day,
           known.active_days::text AS active_days
    FROM ${rowsAs('player', players, PLAYER_KEY)}
    JOIN player_activity AS known USING (game_id, environment, player_id)
    ORDER BY 1, 2, 3
    FOR NO KEY UPDATE OF known`);
  return new Map(rows.map((row) => [nameOfPlayer(row), row]));
}

async function updateHistories(tx: Queryable, players: readonly PlayerHistory[]): Promise<void> {
  if (players.length === 0) return;
  await tx.execute(sql`
    UPDATE player_activity AS known
    SET first_day = DATE '1970-01-01' + player.first_day,
        active_days = player.active_days::bit varying
    FROM ${rowsAs('player', players, HISTORY)}
    WHERE known.game_id = player.game_id AND known.environment = player.environment
      AND known.player_id = player.player_id`);
}
