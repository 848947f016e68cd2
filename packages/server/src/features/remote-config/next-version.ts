import { insertAuditEntry } from '../../platform/audit.ts';
import type { Actor } from '../../platform/audit.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { writeExactly } from '../../platform/json/exact-json.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { readParameters } from './parameters.ts';
import type { ParametersText } from './parameters.ts';
import { insertVersion } from './store.ts';
import type { StoredVersion, VersionOrigin } from './store.ts';

/**
 * Stores parameters as the next version, unless they equal those of the current version.
 * @returns the number of the version that is current now.
 */
export async function insertNext(
  tx: Queryable,
  key: Tenant,
  current: Pick<StoredVersion, 'version' | 'parameters'>,
  parameters: ParametersText,
  origin: VersionOrigin,
  actor: Actor,
): Promise<number> {
  const version = await storeNext(tx, key, current, parameters, origin, actor);
  if (version === current.version) return version;
  await insertAuditEntry(tx, { actor, game_id: key.game_id }, actionOf(origin), key.environment, {
    version,
    ...origin,
    ...compare(current.parameters, parameters.text),
  });
  return version;
}

/** Stores parameters like `insertNext`, for a change that writes its own entry to the audit log. */
export async function storeNext(
  tx: Queryable,
  key: Tenant,
  current: Pick<StoredVersion, 'version' | 'parameters'>,
  parameters: ParametersText,
  origin: VersionOrigin,
  actor: Actor,
): Promise<number> {
  if (parameters.text === current.parameters) return current.version;
  const version = current.version + 1;
  const created_by = actor.account?.email ?? null;
  await insertVersion(tx, key, { version, created_by, ...origin }, parameters);
  return version;
}

function actionOf({ restored_version, schedule }: VersionOrigin) {
  if (schedule?.edge === 'start') return 'start_config_schedule';
  if (schedule?.edge === 'end') return 'end_config_schedule';
  return restored_version === null ? 'put_config' : 'roll_back_config';
}

/** Lists the keys of the parameters that were added, changed and removed. */
function compare(before: string, after: string) {
  const old = readMembers(before);
  const current = readMembers(after);
  const keys = [...current.keys()];
  return {
    added: keys.filter((key) => !old.has(key)),
    changed: keys.filter((key) => old.has(key) && old.get(key) !== current.get(key)),
    removed: [...old.keys()].filter((key) => !current.has(key)),
  };
}

const readMembers = (text: string) =>
  new Map([...readParameters(text)].map(([key, value]) => [key, writeExactly(value)]));
