import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { sql } from '../../../platform/database/sql.ts';
import { tryLockNames } from '../../../platform/players/player-names.ts';
import { restAfter } from '../../../platform/rest.ts';

/** The most players that one transaction writes, at up to 0.1 ms each. */
const BATCH_PLAYERS = 250;
/** The pause between two batches of a build, which indexes all players of a game and is not urgent. */
const REST_MS = 100;
/**
 * A build indexes all players of a game after a change of the setting that tells which property is a player's
 * name. A server that does not know the new setting yet may write a name by the old setting, even for a
 * player whom the build has already read. After this time no server does so, and the build reads all players
 * once more.
 */
const LATE_WRITE_SECONDS = 60;

/** Keeps the table `player_names`, by which players are found, equal to the names and ids of players. */
export function createNameIndex(database: GroupedDatabase) {
  const closing = new AbortController();
  return {
    /** Indexes the players that have changed, and the players of games whose setting has changed. */
    async run() {
      // If a group fails, the other groups go on, and the next run tries the failed group again.
      const failed = new Map<Database, unknown>();
      /**
       * Does a step of each group in turn, so that the build
       * of a large game does not keep other groups waiting.
       * @returns The largest amount of work that one group did.
       * A group in which another server works counts as 0.
       */
      const step = async (work: (tx: Queryable) => Promise<number>) => {
        let most = 0;
        for (const group of database.groups) {
          if (failed.has(group)) continue;
          const done = hasWork(group).then((has_work) =>
            has_work
              ? group.transaction(async (tx) => ((await tryLockNames(tx)) ? work(tx) : 0))
              : 0,
          );
          most = Math.max(most, await done.catch((error) => (failed.set(group, error), 0)));
        }
        return most;
      };
      while (!closing.signal.aborted) {
        const started = performance.now();
        const changed = await step(takeChanges);
        if (changed === BATCH_PLAYERS) {
          await restAfter(performance.now() - started, { signal: closing.signal });
          continue;
        }
        const built = await step(continueBuild);
        if (built === 0) break;
        await sleep(REST_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      }
      for (const error of failed.values()) throw error;
    },
    /** Stops after the current batch. The next run continues from there. */
    close: () => closing.abort(),
  };
}

/**
 * Tells whether a group has work. This costs far less than the statements below, and most groups have none.
 */
async function hasWork(group: Database): Promise<boolean> {
  const row = await group.queryOne(sql`
    SELECT WHERE EXISTS (SELECT FROM player_name_changes)
      OR EXISTS (SELECT FROM player_name_builds WHERE next_step_at <= now())`);
  return row !== null;
}

/**
 * These two statements bring the table `player_names` up to date with the rows of the common table expression
 * `read`. Its column `is_there` tells whether the player still exists.
 */
const deleteNames = sql`
  DELETE FROM player_names AS known USING read
  WHERE NOT is_there AND known.game_id = read.game_id
    AND known.environment = read.environment AND known.player_id = read.player_id`;
const upsertNames = sql`
  INSERT INTO player_names AS known (game_id, environment, player_id, name)
  SELECT game_id, environment, player_id, name FROM read WHERE is_there
  ON CONFLICT (game_id, environment, player_id) DO UPDATE SET name = EXCLUDED.name
  WHERE known.name IS DISTINCT FROM EXCLUDED.name`;

async function takeChanges(tx: Queryable): Promise<number> {
  const row = await tx.queryOne<{ taken: number }>(sql`
    WITH taken AS (
      DELETE FROM player_name_changes
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM player_name_changes LIMIT ${BATCH_PLAYERS}))
      RETURNING game_id, environment, player_id
    ), changed AS (
      SELECT DISTINCT game_id, environment, player_id FROM taken
    ), read AS MATERIALIZED (
      SELECT changed.*, found.player_id IS NOT NULL AS is_there,
             player_name(properties, player_name_property) AS name
      FROM changed
      LEFT JOIN games ON games.id = game_id
      -- Row by row: a plan for a join, made while the tables were empty, would read all players.
      LEFT JOIN LATERAL (
        SELECT player_id, properties FROM players
        WHERE players.game_id = changed.game_id AND players.environment = changed.environment
          AND players.player_id = changed.player_id
        OFFSET 0
      ) AS found ON true
    ), removed AS (${deleteNames}), written AS (${upsertNames})
    SELECT count(*) AS taken FROM taken`);
  return row!.taken;
}

/** Does the next step of a build. @returns 1, or 0 when no build is due. */
async function continueBuild(tx: Queryable): Promise<number> {
  // The build is chosen in a statement of its own, so that the next statement sees the setting that began the
  // build.
  const build = await tx.queryOne<{ game_id: string; environment: string }>(sql`
    SELECT game_id, environment FROM player_name_builds
    WHERE next_step_at <= now()
    ORDER BY next_step_at, game_id, environment
    LIMIT 1
    FOR UPDATE`);
  if (build === null) return 0;
  await tx.execute(sql`
    WITH build AS MATERIALIZED (
      SELECT game_id, environment, build.player_id, is_usable, player_name_property
      FROM player_name_builds AS build
      LEFT JOIN games ON games.id = game_id
      WHERE game_id = ${build.game_id} AND environment = ${build.environment}
    ), read AS MATERIALIZED (
      SELECT build.game_id, build.environment, found.player_id, true AS is_there,
             player_name(properties, player_name_property) AS name
      FROM build
      CROSS JOIN LATERAL (
        SELECT player_id, properties FROM players
        WHERE players.game_id = build.game_id AND players.environment = build.environment
          AND players.player_id > build.player_id
        ORDER BY players.player_id
        LIMIT ${BATCH_PLAYERS}
      ) AS found
    ), written AS (${upsertNames}), progress AS (
      SELECT count(*) AS players, max(player_id) AS last, count(*) < ${BATCH_PLAYERS} AS is_over,
             now() + ${LATE_WRITE_SECONDS}::integer * interval '1 second' AS late_writes_until
      FROM read
    ), ended AS (
      DELETE FROM player_name_builds AS stored USING build, progress
      WHERE is_over AND build.is_usable
        AND stored.game_id = build.game_id AND stored.environment = build.environment
    )
    UPDATE player_name_builds AS stored
    SET player_id = CASE WHEN is_over THEN '' ELSE last END,
        player_count = player_count + players,
        is_usable = stored.is_usable OR is_over,
        next_step_at = CASE WHEN is_over THEN late_writes_until ELSE stored.next_step_at END
    FROM build, progress
    WHERE NOT (is_over AND build.is_usable)
      AND stored.game_id = build.game_id AND stored.environment = build.environment`);
  return 1;
}
