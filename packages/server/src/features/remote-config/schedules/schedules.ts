import { randomUUID } from 'node:crypto';
import { VERSION_CONFLICT } from '@overworld/contract/answers';
import { MAX_OPEN_SCHEDULES } from '@overworld/contract/remote-config/schedules';
import type { AuditAction } from '@overworld/contract/games/audit-actions';
import { insertAuditEntry } from '../../../platform/audit.ts';
import type { Actor } from '../../../platform/audit.ts';
import type { Database, Queryable } from '../../../platform/database/database.ts';
import { badRequest, conflict } from '../../../platform/errors.ts';
import { notFoundIn } from '../../../platform/other-environment.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type { ConfigChanges } from '../changes.ts';
import { findSizeProblem, readParameters, writeParameters } from '../parameters.ts';
import { requireUnchanged } from '../experiment-parameters.ts';
import type { ListRunningParameters } from '../experiment-parameters.ts';
import { requireRuleStats } from '../rule-stats.ts';
import { getCurrentVersion } from '../store.ts';
import { applyDueSchedules, endSchedule } from './apply.ts';
import type { ScheduleUpdate, SentSchedule } from './body.ts';
import { requireNoClash } from './clashes.ts';
import { findSchedule, listOpenSchedules, putSchedule } from './store.ts';
import type { StoredSchedule } from './store.ts';

/**
 * Makes functions that create and edit scheduled changes. Each call is audited, and the calls of a game wait
 * for each other.
 */
export function createConfigSchedules(
  changes: ConfigChanges,
  listRunningParameters: ListRunningParameters,
) {
  /** Stores a change that somebody has created or edited. A change that is due begins at once. */
  const store = async (
    tx: Queryable,
    key: Tenant,
    now: Date,
    schedule: StoredSchedule,
    action: AuditAction,
    actor: Actor,
  ) => {
    requireNoClash(await listOpenSchedules(tx, key), schedule);
    await putSchedule(tx, key, schedule);
    await audit(tx, key, schedule, action, actor);
    await applyDueSchedules(tx, key, now, listRunningParameters);
    return getSchedule(tx, key, schedule.id);
  };

  /**
   * @throws ApiError 400 when the config would become too large with the parameters, or a rule names a statistic
   * that the game lacks; 409 when a running experiment has one of the parameters.
   */
  const requireFit = async (tx: Queryable, key: Tenant, text: string) => {
    const current = await getCurrentVersion(tx, key);
    const parameters = readParameters(current.parameters);
    for (const [name, parameter] of readParameters(text)) parameters.set(name, parameter);
    const next = writeParameters(parameters);
    const problem = findSizeProblem(next);
    if (problem !== null) throw badRequest(`parameters: ${problem}`);
    await requireRuleStats(tx, key.game_id, text);
    requireUnchanged(await listRunningParameters(tx, key), current.parameters, next.text);
  };

  return {
    /** @throws ApiError 400 for a time that has passed, 409 when another change is in the way. */
    create: (database: Database, key: Tenant, sent: SentSchedule, actor: Actor) =>
      changes.change(database, key, actor, async (tx, now) => {
        const at = now.toISOString();
        const schedule: StoredSchedule = {
          ...sent,
          id: randomUUID(),
          state: 'coming',
          starts_at: sent.starts_at ?? at,
          ...setBy(actor, at),
          created_at: at,
          ...NEW,
        };
        if (sent.starts_at !== undefined) requireComing('starts_at', sent.starts_at, now);
        requireEndAfterStart(schedule);
        await requireFit(tx, key, schedule.parameters);
        const open = await listOpenSchedules(tx, key);
        if (open.length >= MAX_OPEN_SCHEDULES) {
          throw conflict(
            `An environment may have at most ${MAX_OPEN_SCHEDULES} coming and running changes`,
          );
        }
        return store(tx, key, now, schedule, 'create_config_schedule', actor);
      }),

    /**
     * @throws ApiError as `create` does. Also 404 when the change is unknown, and 409 when it is over, when
     * somebody else has edited it meanwhile, or when it has begun and `sent` changes its start or its
     * parameters.
     */
    update: (database: Database, key: Tenant, id: string, sent: ScheduleUpdate, actor: Actor) =>
      changes.change(database, key, actor, async (tx, now) => {
        const found = await getOpen(tx, key, id);
        if (sent.version !== undefined && sent.version !== found.version) {
          throw conflict(VERSION_CONFLICT, { server_version: found.version });
        }
        if (found.state === 'running' && (sent.starts_at ?? sent.parameters) !== undefined) {
          throw conflict('The scheduled change has begun: only its name and its end can be set');
        }
        const at = now.toISOString();
        const schedule: StoredSchedule = {
          ...found,
          ...sent.parameters,
          name: sent.name ?? found.name,
          starts_at: sent.starts_at ?? found.starts_at,
          ends_at: sent.ends_at === undefined ? found.ends_at : sent.ends_at,
          version: found.version + 1,
          ...setBy(actor, at),
        };
        if (sent.starts_at !== undefined) requireComing('starts_at', sent.starts_at, now);
        if (typeof sent.ends_at === 'string') requireComing('ends_at', sent.ends_at, now);
        requireEndAfterStart(schedule);
        if (sent.parameters !== undefined) await requireFit(tx, key, schedule.parameters);
        if (schedule.state === 'running' && schedule.ends_at === null) {
          Object.assign(schedule, { state: 'done', closed_at: at });
        }
        return store(tx, key, now, schedule, 'update_config_schedule', actor);
      }),

    /**
     * Cancels a coming change, or ends a running one. @throws ApiError 404 if it is unknown, 409 if it is
     * over.
     */
    cancel: (database: Database, key: Tenant, id: string, actor: Actor) =>
      changes.change(database, key, actor, async (tx, now) => {
        const found = await getOpen(tx, key, id);
        await audit(tx, key, found, 'cancel_config_schedule', actor);
        const at = now.toISOString();
        const schedule = { ...found, ...setBy(actor, at) };
        if (found.state === 'running') {
          await endSchedule(tx, key, schedule, now, await listRunningParameters(tx, key));
        } else await putSchedule(tx, key, { ...schedule, state: 'cancelled', closed_at: at });
        return getSchedule(tx, key, id);
      }),
  };
}

/** The members of a change that has not begun. */
const NEW = {
  version: 1,
  previous: null,
  kept_keys: [],
  problem: null,
  started_version: null,
  ended_version: null,
  closed_at: null,
};

const setBy = ({ account }: Actor, updated_at: string) => ({
  author_id: account?.account_id ?? null,
  author: account?.email ?? null,
  updated_at,
});

const audit = (
  tx: Queryable,
  { game_id, environment }: Tenant,
  { name, starts_at, ends_at, keys }: StoredSchedule,
  action: AuditAction,
  actor: Actor,
) =>
  insertAuditEntry(tx, { actor, game_id }, action, name, { environment, starts_at, ends_at, keys });

/** @throws ApiError 404 when there is no such scheduled change; it names the environment that has it. */
export async function getSchedule(
  queryable: Queryable,
  key: Tenant,
  id: string,
): Promise<StoredSchedule> {
  const found = await findSchedule(queryable, key, id);
  if (found !== null) return found;
  throw await notFoundIn(key, 'Scheduled change', (tenant) => findSchedule(queryable, tenant, id));
}

async function getOpen(tx: Queryable, key: Tenant, id: string): Promise<StoredSchedule> {
  const found = await getSchedule(tx, key, id);
  if (found.closed_at !== null) throw conflict('The scheduled change is over already');
  return found;
}

function requireComing(name: string, time: string, now: Date): void {
  if (new Date(time) <= now) throw badRequest(`${name} must be in the future`);
}

function requireEndAfterStart({ starts_at, ends_at }: StoredSchedule): void {
  if (ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at)) {
    throw badRequest('ends_at must be after starts_at');
  }
}
