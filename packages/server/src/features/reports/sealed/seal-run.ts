import { ENVIRONMENTS } from '@overworld/contract/common';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { forEachGroup } from '../../../platform/database/each-group.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { restAfter } from '../../../platform/rest.ts';
import { createPlayerDictionary } from './player-dictionary.ts';
import { sealDay } from './seal-day.ts';
import { forgetDays, LAST_SEALED_DAY } from './unseal.ts';

const MAX_REST_MS = 1_000;

interface SealRunOptions {
  /** Keeps players from being merged or erased until the transaction ends. */
  joinIngest: (tx: Queryable) => Promise<void>;
  /** The days that events are kept; 0: for ever. */
  retention_days: number;
  signal?: AbortSignal;
  /** No day is begun after this time, in milliseconds. */
  run_ms?: number;
  min_events?: number;
  /** Rest for each millisecond of work. Default: 1. */
  rest_times?: number;
}

/** The result of a run. */
export interface SealedDays {
  days: number;
  /** Days whose events changed at that time, which are left for the next run. */
  changed: number;
}

/**
 * Seals the days of all games that have been over for a day, the newest first. Environments take turns of one
 * day, so that the long history of one game delays no other.
 * @throws the first problem, after all other days were sealed.
 */
export async function runSeals(
  database: GroupedDatabase,
  options: SealRunOptions,
): Promise<SealedDays> {
  const { joinIngest, retention_days, signal, run_ms = Infinity, min_events, rest_times } = options;
  const ends_at = performance.now() + run_ms;
  await forEachGroup(database.groups, (group) =>
    group.transaction((tx) => forgetDays(tx, retention_days)),
  );
  const rest = (worked_ms: number) =>
    restAfter(worked_ms, { times: rest_times, max_ms: MAX_REST_MS, signal });
  const done: SealedDays = { days: 0, changed: 0 };
  let problem: unknown = null;
  let turns = await listTurns(database, rest);
  while (turns.length > 0) {
    const left: Turn[] = [];
    for (const turn of turns) {
      if (signal?.aborted === true || performance.now() > ends_at) return done;
      const { game, tenant, days } = turn;
      const day = days.shift();
      if (day === undefined) continue;
      left.push(turn);
      const dictionary = createPlayerDictionary(game, tenant, joinIngest);
      try {
        const outcome = await sealDay(game, { ...tenant, day }, dictionary, {
          rest,
          signal,
          min_events,
        });
        if (outcome === 'sealed') done.days++;
        if (outcome === 'changed') done.changed++;
      } catch (error) {
        signal?.throwIfAborted();
        problem ??= error;
      }
    }
    turns = left;
  }
  if (problem !== null) throw problem;
  return done;
}

interface Turn {
  game: Database;
  tenant: Tenant;
  /** The days to seal, the newest first. */
  days: string[];
}

/** Lists the environments with days to seal. */
async function listTurns(
  database: GroupedDatabase,
  rest: (worked_ms: number) => Promise<void>,
): Promise<Turn[]> {
  const games = await database.query<{ id: string }>(
    sql`SELECT id FROM games ORDER BY created_at, id`,
  );
  await database.learnGames(games.map(({ id }) => id));
  const turns: Turn[] = [];
  for (const { id: game_id } of games) {
    const game = database.ofGame(game_id);
    const began = performance.now();
    for (const environment of ENVIRONMENTS) {
      const tenant = { game_id, environment };
      const days = await listOpenDays(game, tenant);
      if (days.length === 0) continue;
      turns.push({ game, tenant, days });
    }
    await rest(performance.now() - began);
  }
  return turns;
}

/** Lists the days between the first and the last event that are over and not sealed, the newest first. */
async function listOpenDays(game: Queryable, tenant: Tenant): Promise<string[]> {
  const rows = await game.query<{ day: string }>(sql`
    SELECT day::date AS day
    FROM (
      SELECT min(received_at) AS first, max(received_at) AS last
      FROM events WHERE ${isOfTenant(tenant)}
    ) AS received
    CROSS JOIN generate_series((first AT TIME ZONE 'UTC')::date,
                               LEAST((last AT TIME ZONE 'UTC')::date, ${LAST_SEALED_DAY}),
                               interval '1 day') AS day
    WHERE day::date <> ALL (ARRAY(
      SELECT sealed.day FROM sealed_days AS sealed
      WHERE sealed.game_id = ${tenant.game_id} AND sealed.environment = ${tenant.environment}
        AND sealed_at IS NOT NULL))
    ORDER BY day DESC`);
  return rows.map(({ day }) => day);
}
