import * as contract from '@overworld/contract/players/verification';
import type { Actor } from '../../platform/audit.ts';
import { requireEnvironmentEditor } from '../../platform/auth/accounts.ts';
import type { KeyDirectory } from '../../platform/auth/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { changeKeySettings } from '../../platform/game-change.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { verificationKind } from './definition-kind.ts';
import { getVerification, upsertVerification } from './store.ts';
import type { VerificationSettings } from './store.ts';

export function mountPlayerVerification(api: Api): void {
  const { keys } = api;
  api.definitions.add(verificationKind(keys));

  implement(api, contract.getPlayerVerification, ({ params, query, read }) =>
    read((database) => getVerification(database, { ...params, ...query })),
  );

  implement(api, contract.updatePlayerVerification, async (call) => {
    const { params, query, body, role, actor, database } = call;
    const { verification, allows_claims } = body;
    requireEnvironmentEditor(role, query.environment);
    const tenant = { ...params, ...query };
    const change = {
      ...(verification !== undefined && { verification }),
      ...(allows_claims !== undefined && { allows_claims }),
    };
    await changeVerification(database, keys, tenant, change, actor);
    return call.read((group) => getVerification(group, tenant));
  });
}

/** Changes settings of an environment, with immediate effect on every server. */
async function changeVerification(
  database: Database,
  keys: KeyDirectory,
  tenant: Tenant,
  change: Partial<VerificationSettings>,
  actor: Actor,
): Promise<void> {
  const { game_id, environment } = tenant;
  await changeKeySettings(database, keys, { game_id, actor }, async (tx, record) => {
    const before = await upsertVerification(tx, tenant, change);
    await record('update_player_verification', environment, {
      environment,
      from: before,
      to: { ...before, ...change },
    });
  });
}
