import { isDeepStrictEqual } from 'node:util';
import { insertAuditEntry } from '../../../platform/audit.ts';
import { writeExactly } from '../../../platform/json/exact-json.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { findSizeProblem, readParameters, writeParameters } from '../parameters.ts';
import { findChanged } from '../experiment-parameters.ts';
import type { RunningParameters, ListRunningParameters } from '../experiment-parameters.ts';
import { insertNext } from '../next-version.ts';
import type { ParametersText } from '../parameters.ts';
import { getCurrentVersion } from '../store.ts';
import { listDueSchedules, putSchedule } from './store.ts';
import type { StoredSchedule } from './store.ts';

/**
 * Begins or ends each scheduled change that is due in an environment. The caller must hold the lock of the
 * game. If several changes are due, they are all applied in this transaction, so clients see one change.
 * @returns the number of changes that were due.
 */
export async function applyDueSchedules(
  tx: Queryable,
  key: Tenant,
  now: Date,
  listRunningParameters: ListRunningParameters,
): Promise<number> {
  const due = await listDueSchedules(tx, key, now);
  const running = due.length === 0 ? NONE : await listRunningParameters(tx, key);
  for (const schedule of due) {
    if (schedule.state === 'running') await endSchedule(tx, key, schedule, now, running);
    else if (schedule.ends_at !== null && new Date(schedule.ends_at) <= now) {
      await close(tx, key, schedule, 'missed', now);
    } else await beginSchedule(tx, key, schedule, now, running);
  }
  return due.length;
}

async function beginSchedule(
  tx: Queryable,
  key: Tenant,
  schedule: StoredSchedule,
  now: Date,
  running: RunningParameters,
): Promise<void> {
  const current = await getCurrentVersion(tx, key);
  const parameters = readParameters(current.parameters);
  const before = schedule.keys.map((name) => [name, parameters.get(name) ?? null] as const);
  for (const [name, parameter] of readParameters(schedule.parameters)) {
    parameters.set(name, parameter);
  }
  const next = writeParameters(parameters);
  const [of_experiment = null] = findChanged(running, current.parameters, next.text).values();
  const problem = findSizeProblem(next) ?? of_experiment;
  if (problem !== null) return close(tx, key, { ...schedule, problem }, 'failed', now);
  const origin = originOf(schedule, 'start');
  const started_version = await insertNext(tx, key, current, next, origin, authorOf(schedule));
  if (schedule.ends_at === null) {
    return close(tx, key, { ...schedule, started_version }, 'done', now);
  }
  const previous = writeExactly(Object.fromEntries(before));
  await putSchedule(tx, key, { ...schedule, state: 'running', started_version, previous });
}

/**
 * Ends a running change. Each parameter that still has the value from the change gets its earlier value back.
 * It keeps the value from the change if a running experiment has the parameter.
 */
export async function endSchedule(
  tx: Queryable,
  key: Tenant,
  schedule: StoredSchedule,
  now: Date,
  running: RunningParameters,
): Promise<void> {
  const current = await getCurrentVersion(tx, key);
  let returned = returnParameters(current.parameters, schedule, NONE);
  const needed = findChanged(running, current.parameters, returned.next.text);
  if (needed.size > 0) returned = returnParameters(current.parameters, schedule, needed);
  const { next, kept_keys } = returned;
  const problem = findSizeProblem(next);
  if (problem !== null) return close(tx, key, { ...schedule, problem }, 'failed', now);
  const origin = originOf(schedule, 'end');
  const ended_version = await insertNext(tx, key, current, next, origin, authorOf(schedule));
  await close(tx, key, { ...schedule, ended_version, kept_keys }, 'done', now);
}

/** @param needed A map whose keys are the names of the parameters that keep their current values. */
function returnParameters(
  current: string,
  schedule: StoredSchedule,
  needed: ReadonlyMap<string, unknown>,
): { next: ParametersText; kept_keys: string[] } {
  const parameters = readParameters(current);
  const previous = readParameters(schedule.previous!);
  const kept_keys: string[] = [];
  for (const [name, set] of readParameters(schedule.parameters)) {
    const before = previous.get(name) ?? null;
    const is_changed = !isDeepStrictEqual(parameters.get(name), set);
    if (is_changed || needed.has(name)) kept_keys.push(name);
    else if (before === null) parameters.delete(name);
    else parameters.set(name, before);
  }
  return { next: writeParameters(parameters), kept_keys };
}

async function close(
  tx: Queryable,
  key: Tenant,
  schedule: StoredSchedule,
  state: 'done' | 'missed' | 'failed',
  now: Date,
): Promise<void> {
  await putSchedule(tx, key, { ...schedule, state, closed_at: now.toISOString() });
  if (state === 'done') return;
  const { name, keys, problem, started_version } = schedule;
  const edge = started_version === null ? 'start' : 'end';
  const details = { environment: key.environment, edge, state, problem, keys };
  const entry = { actor: authorOf(schedule), game_id: key.game_id };
  await insertAuditEntry(tx, entry, 'fail_config_schedule', name, details);
}

const originOf = ({ id, name }: StoredSchedule, edge: 'start' | 'end') => ({
  restored_version: null,
  schedule: { id, name, edge },
});

const NONE: RunningParameters = new Map();

const authorOf = ({ author_id, author }: StoredSchedule) => ({
  account: author_id === null ? null : { account_id: author_id, email: author! },
  ip: null,
});
