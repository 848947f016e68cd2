import * as contract from '@overworld/contract/games/shares';
import type { Shares } from '@overworld/contract/games/shares';
import type { Actor } from '../../platform/audit.ts';
import { requireEnvironmentEditor } from '../../platform/auth/accounts.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeKeySettings } from '../../platform/game-change.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { limitOfKey } from '../../platform/rate-limit/rate-limit.ts';
import { sharesKind } from './definition-kind.ts';
import { findRaisedRequests, getShares, pickShares, putShares } from './store.ts';
import { suggestPercent, suggestShares } from './suggestions.ts';
import { getMonth, measureTraffic } from './traffic.ts';

export function mountShares(api: Api): void {
  const { keys, config } = api;
  api.definitions.add(sharesKind(keys));

  const show = async (database: Database, tenant: Tenant) => {
    const { environment } = tenant;
    const traffic = await measureTraffic(database, tenant);
    const shares = await getShares(database, tenant);
    const raised = await findRaisedRequests(database, tenant.game_id);
    const key_requests_per_minute = limitOfKey(config, raised);
    const month = await getMonth(database, tenant);
    const suggested = {
      ...suggestShares(traffic, key_requests_per_minute),
      monthly_events_percent: environment === 'development' ? suggestPercent(month) : null,
    };
    return { environment, ...shares, key_requests_per_minute, suggested, traffic, month };
  };

  implement(api, contract.getShares, ({ params, query, read }) =>
    read((database) => show(database, { ...params, ...query })),
  );

  implement(api, contract.updateShares, async (call) => {
    const { params, query, body, role, actor, database } = call;
    requireEnvironmentEditor(role, query.environment);
    const tenant = { ...params, ...query };
    await changeShares(database, keys, tenant, body, actor);
    return call.read((group) => show(group, tenant));
  });
}

/**
 * Changes the shares of an environment. A share limits the requests that one player or one network may use.
 * Every server applies the change immediately.
 */
async function changeShares(
  database: Database,
  keys: KeyDirectory,
  tenant: Tenant,
  changes: Partial<Shares>,
  actor: Actor,
): Promise<void> {
  const { game_id, environment } = tenant;
  await changeKeySettings(database, keys, { game_id, actor }, async (tx, record) => {
    const before = await getShares(tx, tenant);
    const shares = pickShares({ ...before, ...changes });
    await putShares(tx, tenant, shares);
    await record('update_shares', environment, { environment, from: before, to: shares });
  });
}
