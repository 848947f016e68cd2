import { randomUUID } from 'node:crypto';
import { sql } from '../src/platform/database/sql.ts';
import type { TestServer } from './harness.ts';

/**
 * Inserts a restoration of saves with one save that was restored. No server works on it for a day.
 * @returns its id.
 */
export async function insertRestoration(
  server: TestServer,
  { game_id, player_id }: Record<string, string>,
  {
    state,
    environment = 'production',
    app_version = '1.5.0',
  }: { state: string; environment?: string; app_version?: string },
): Promise<string> {
  const restoration_id = randomUUID();
  const question = {
    saved_from: '2026-03-01T00:00:00.000Z',
    saved_until: '2026-03-02T00:00:00.000Z',
    app_versions: [app_version],
    segment: null,
    slot: null,
    data: [],
  };
  const isStarted = ['running', 'paused', 'done'].includes(state);
  await server.database.execute(sql`
    INSERT INTO save_restorations
      (game_id, environment, restoration_id, state, question, created_at, counted_at, started_at,
       next_step_at)
    VALUES (${game_id}, ${environment}, ${restoration_id}, ${state},
            ${JSON.stringify(question)}::jsonb, now(), now(),
            CASE WHEN ${isStarted}::boolean THEN now() END, now() + interval '1 day')`);
  await server.database.execute(sql`
    INSERT INTO restored_saves
      (game_id, environment, player_id, slot, restoration_id, state, has_played_on, bad_version,
       app_version, good_version, size_bytes, version, restored_version)
    VALUES (${game_id}, ${environment}, ${player_id}, 'main', ${restoration_id}, 'kept', false, 2,
            ${app_version}, 1, 2, 2, 3)`);
  return restoration_id;
}

/**
 * Inserts a restoration of statistics with one value that its undo has left alone. No server works on it for a day.
 * @returns its id.
 */
export async function insertStatRestoration(
  server: TestServer,
  { game_id, player_id }: Record<string, string>,
  {
    state,
    environment = 'production',
    stat = 'wins',
    restoration_id = randomUUID(),
  }: { state: string; environment?: string; stat?: string; restoration_id?: string },
): Promise<string> {
  const question = {
    stats: [stat],
    changed_from: '2026-03-01T00:00:00.000Z',
    changed_until: '2026-03-01T02:00:00.000Z',
    segment: null,
  };
  const isStarted = ['running', 'paused', 'done'].includes(state);
  await server.database.execute(sql`
    INSERT INTO stat_restorations
      (game_id, environment, restoration_id, state, question, created_at, counted_at, started_at,
       next_step_at)
    VALUES (${game_id}, ${environment}, ${restoration_id}, ${state},
            ${JSON.stringify(question)}::jsonb, now(), now(),
            CASE WHEN ${isStarted}::boolean THEN now() END, now() + interval '1 day')`);
  await server.database.execute(sql`
    INSERT INTO restored_stats
      (game_id, environment, player_id, key, restoration_id, state, is_out_of_bounds, value, value_after)
    VALUES (${game_id}, ${environment}, ${player_id}, ${stat}, ${restoration_id}, 'kept', false, 2, 1)`);
  return restoration_id;
}
