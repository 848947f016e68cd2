import type { Database, Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { sql } from '../../platform/database/sql.ts';
import { nameOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { restAfter } from '../../platform/rest.ts';
import type { FileStore } from '../../platform/stores/file-store.ts';
import { StoreError } from '../../platform/stores/store-error.ts';
import { finishFile, planFile } from './file-plans.ts';
import { PlanEnded, readPlannedEvents } from './planned-events.ts';
import { writeEventFile } from './write-file.ts';
import type { IsAlone } from './write-file.ts';

/**
 * An export begins so long after its row was stored. Until then, servers of an earlier release may run, which
 * note no batches: their events are history. It is shorter than the time between two runs.
 */
export const SETTLING_MINUTES = 50;
const TENANTS_PER_PAGE = 100;
/** Remains of this age are of a server that was killed, also where installations share a place. */
const REMAINS_MS = 86_400_000;
/** The number of the advisory lock of a run. Any fixed number would do. */
export const EXPORT_LOCK = 7_301_996;
const NOT_ALONE = 'Another server exports events now.';

interface ExportRunOptions {
  signal?: AbortSignal;
  settling_minutes?: number;
  /** No round of files begins after this time, in milliseconds. Default: none ends the run. */
  run_ms?: number;
}

/** The files that a run has written. */
export interface ExportedFiles {
  files: number;
  events: number;
}

/**
 * Exports the events that were stored before the run began. Environments take turns of one file each, so that
 * the many events of one game delay no other. A long history is exported by many runs: each run takes up the
 * events that were stored since the one before, also those of new games.
 * @throws the first problem. After a problem of an environment, the others are still exported; a problem of
 * the place ends the run.
 */
export const runExport = (
  database: GroupedDatabase,
  store: FileStore,
  options: ExportRunOptions = {},
): Promise<ExportedFiles> =>
  alone(database, (isAlone) => exportAll(database, store, { ...options, isAlone }));

async function exportAll(
  database: GroupedDatabase,
  store: FileStore,
  {
    signal,
    settling_minutes = SETTLING_MINUTES,
    run_ms = Infinity,
    isAlone,
  }: ExportRunOptions & { isAlone: IsAlone },
): Promise<ExportedFiles> {
  const done: ExportedFiles = { files: 0, events: 0 };
  const clock = await database.queryOne<{ now: string }>(sql`SELECT now()::text AS now`);
  const until = clock!.now;
  /** The environments with a problem, which are left for the next run. */
  const failed = new Set<string>();
  let problem: unknown = null;
  const isFatal = (error: unknown) => error instanceof StoreError || signal?.aborted === true;

  const exportNext = async (group: Database, tenant: Tenant): Promise<boolean> => {
    const began = performance.now();
    const plan = await group.transaction((tx) => planFile(tx, tenant, until));
    if (plan === null) return false;
    const pages = readPlannedEvents(group, tenant, plan);
    const events = await writeEventFile(store, plan.name, pages, { signal, isAlone }).catch(
      async (error: unknown) => {
        if (!(error instanceof PlanEnded)) throw error;
        if (!(await isAlone())) throw new StoreError(NOT_ALONE);
        return 0;
      },
    );
    await group.transaction((tx) => finishFile(tx, tenant, plan));
    if (events > 0) done.files++;
    done.events += events;
    await restAfter(performance.now() - began, { signal });
    return true;
  };
  /** @returns false if no environment of the group has more events. */
  const exportRound = async (group: Database): Promise<boolean> => {
    let has_more = false;
    for await (const tenant of listTenants(group, until, settling_minutes)) {
      signal?.throwIfAborted();
      const name = nameOfTenant(tenant);
      if (failed.has(name)) continue;
      try {
        if (await exportNext(group, tenant)) has_more = true;
      } catch (error) {
        if (isFatal(error)) throw error;
        failed.add(name);
        problem ??= error;
      }
    }
    return has_more;
  };

  const ends_at = performance.now() + run_ms;
  let groups = database.groups;
  do {
    const left: Database[] = [];
    for (const group of groups) {
      try {
        if (await exportRound(group)) left.push(group);
      } catch (error) {
        if (isFatal(error)) throw error;
        problem ??= error;
      }
    }
    groups = left;
  } while (groups.length > 0 && performance.now() < ends_at);
  // The next try of a file removes its remains, but no other comes after its game was deleted.
  await store.removeUnfinished('game=', REMAINS_MS);
  if (problem !== null) throw problem;
  return done;
}

/**
 * Runs `work` while no other server exports. A server that was stopped for a while loses the lease of the
 * task, but keeps this lock.
 */
async function alone<Result>(
  database: Database,
  work: (isAlone: IsAlone) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  try {
    const { rows } = await client.query<{ is_free: boolean }>(
      'SELECT pg_try_advisory_lock($1) AS is_free',
      [EXPORT_LOCK],
    );
    if (!rows[0]!.is_free) throw new StoreError(NOT_ALONE);
    const isAlone = () =>
      client.query('SELECT').then(
        () => true,
        () => false,
      );
    // The server ends a session only some time after its client is released.
    return await work(isAlone).finally(() =>
      client.query('SELECT pg_advisory_unlock($1)', [EXPORT_LOCK]).catch(() => undefined),
    );
  } finally {
    client.release(true);
  }
}

/** Lists the environments of a group that have events to export. */
async function* listTenants(
  group: Queryable,
  until: string,
  settling_minutes: number,
): AsyncGenerator<Tenant> {
  let last: Tenant | null = null;
  for (;;) {
    const page: Tenant[] = await group.query<Tenant>(sql`
      SELECT game_id, environment
      FROM event_exports AS export
      WHERE ${
        last === null
          ? sql`true`
          : sql`(game_id, environment) > (${last.game_id}::uuid, ${last.environment}::environment)`
      }
        AND created_at <= now() - ${settling_minutes}::integer * interval '1 minute'
        AND (file_name IS NOT NULL OR NOT is_history_done OR EXISTS (
          SELECT FROM event_export_batches AS batch
          WHERE batch.game_id = export.game_id AND batch.environment = export.environment
            AND stored_at < ${until}::timestamptz
        ))
      ORDER BY game_id, environment
      LIMIT ${TENANTS_PER_PAGE}`);
    yield* page;
    if (page.length < TENANTS_PER_PAGE) return;
    last = page.at(-1)!;
  }
}
