import type { ExperimentState } from '@overworld/contract/remote-config/experiment-definition';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isAfter } from '../../platform/http/page.ts';
import type { PagePosition, PageRange } from '../../platform/http/page.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';

export interface ExperimentKey extends Tenant {
  experiment_id: string;
}

export interface StoredExperiment {
  id: string;
  state: ExperimentState;
  name: string;
  description: string;
  share: number;
  /** JSON text. */
  definition: string;
  created_at: string;
  created_by: string | null;
  started_at: string | null;
  stopped_at: string | null;
  shipped_variant: number | null;
}

const columns = sql`experiment_id AS id, state, name, COALESCE(description, '') AS description, share,
  definition, created_at, created_by, started_at, stopped_at, shipped_variant`;

const isExperiment = ({ experiment_id, ...tenant }: ExperimentKey) =>
  sql`${isOfTenant(tenant)} AND experiment_id = ${experiment_id}`;

export const findExperiment = (
  database: Queryable,
  key: ExperimentKey,
): Promise<StoredExperiment | null> =>
  database.queryOne<StoredExperiment>(
    sql`SELECT ${columns} FROM experiments WHERE ${isExperiment(key)}`,
  );

/** Lists the experiments of an environment, the newest first. */
export const listExperiments = (
  database: Queryable,
  tenant: Tenant,
  state: ExperimentState | undefined,
  { after, count }: PageRange,
): Promise<(StoredExperiment & PagePosition)[]> =>
  database.query<StoredExperiment & PagePosition>(sql`
    SELECT ${columns}, created_at::text AS created
    FROM experiments
    WHERE ${isOfTenant(tenant)}
      AND (${state}::experiment_state IS NULL OR state = ${state}::experiment_state)
      AND ${isAfter(sql`created_at, experiment_id`, 'newest_first', after)}
    ORDER BY experiments.created_at DESC, experiment_id DESC
    LIMIT ${count}`);

export const listRunning = (database: Queryable, tenant: Tenant): Promise<StoredExperiment[]> =>
  database.query<StoredExperiment>(sql`
    SELECT ${columns} FROM experiments
    WHERE ${isOfTenant(tenant)} AND state = 'running'
    ORDER BY experiments.started_at, experiment_id`);

type NamedExperiment = Pick<StoredExperiment, 'id' | 'name'> & Pick<Tenant, 'environment'>;

/** Lists the names of all experiments of a game, the oldest first. */
export const listNames = (tx: Queryable, game_id: string): Promise<NamedExperiment[]> =>
  tx.query(sql`
    SELECT experiment_id AS id, environment, name FROM experiments
    WHERE game_id = ${game_id}
    ORDER BY created_at, experiment_id`);

/** Lists all experiments of a game, the oldest first. */
export const listOfGame = (
  tx: Queryable,
  game_id: string,
): Promise<(StoredExperiment & NamedExperiment)[]> =>
  tx.query(sql`
    SELECT ${columns}, environment FROM experiments
    WHERE game_id = ${game_id}
    ORDER BY experiments.created_at, experiment_id`);

export async function countExperiments(tx: Queryable, tenant: Tenant): Promise<number> {
  const row = await tx.queryOne<{ count: number }>(
    sql`SELECT count(*) AS count FROM experiments WHERE ${isOfTenant(tenant)}`,
  );
  return row!.count;
}

type Settings = Pick<StoredExperiment, 'name' | 'description' | 'share' | 'definition'>;

export async function insertExperiment(
  tx: Queryable,
  { game_id, environment }: Tenant,
  { name, description, share, definition }: Settings,
  created_by: string | null,
): Promise<StoredExperiment> {
  const stored = await tx.queryOne<StoredExperiment>(sql`
    INSERT INTO experiments
      (game_id, environment, name, description, share, definition, created_by)
    VALUES (${game_id}, ${environment}, ${name}, ${description}, ${share}, ${definition},
            ${created_by})
    RETURNING ${columns}`);
  return stored!;
}

export async function updateSettings(
  tx: Queryable,
  key: ExperimentKey,
  { name, description, share, definition }: Settings,
): Promise<StoredExperiment> {
  const stored = await tx.queryOne<StoredExperiment>(sql`
    UPDATE experiments
    SET name = ${name}, description = ${description}, share = ${share}, definition = ${definition}
    WHERE ${isExperiment(key)}
    RETURNING ${columns}`);
  return stored!;
}

export async function renameExperiment(
  tx: Queryable,
  key: ExperimentKey,
  name: string,
): Promise<void> {
  await tx.execute(sql`UPDATE experiments SET name = ${name} WHERE ${isExperiment(key)}`);
}

/** Moves an experiment to its next state, and stores the time of this change. */
export async function updateState(
  tx: Queryable,
  key: ExperimentKey,
  state: 'running' | 'stopped' | 'shipped',
  shipped_variant: number | null = null,
): Promise<StoredExperiment> {
  const stored = await tx.queryOne<StoredExperiment>(sql`
    UPDATE experiments
    SET state = ${state}::experiment_state, shipped_variant = ${shipped_variant},
        started_at = COALESCE(started_at, moment),
        stopped_at = CASE WHEN ${state} = 'running' THEN NULL ELSE COALESCE(stopped_at, moment) END
    FROM (SELECT now() AS moment) AS clock
    WHERE ${isExperiment(key)}
    RETURNING ${columns}`);
  return stored!;
}

/**
 * Deletes an experiment after waiting for servers that are writing its exposures. No further exposures can
 * follow.
 */
export async function deleteExperiment(tx: Queryable, key: ExperimentKey): Promise<void> {
  await tx.execute(sql`DELETE FROM experiments WHERE ${isExperiment(key)}`);
}
