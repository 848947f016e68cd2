import { ENVIRONMENTS } from '@overworld/contract/common';
import { listRunningParameters } from '../../features/experiments/rules.ts';
import { CONFIG_CHANNEL } from '../../features/remote-config/changes.ts';
import { applyDueSchedules } from '../../features/remote-config/schedules/apply.ts';
import { findNextChange } from '../../features/remote-config/schedules/store.ts';
import { getCurrentVersion } from '../../features/remote-config/store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { notify } from '../../platform/database/notifications.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant, nameOfTenant } from '../../platform/players/player-key.ts';

/**
 * Makes the scheduled changes of configs until a moment, one after the other, each at its time. Thus a change of
 * an hour begins and ends, although it is over at that moment. The caller must hold the lock of the game.
 */
export async function applySchedulesUntil(
  tx: Queryable,
  game_id: string,
  now: Date,
  until: Date,
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const key = { game_id, environment };
    const { version } = await getCurrentVersion(tx, key);
    let newest = version;
    for (;;) {
      const next = await findNextChange(tx, key);
      if (next === null || next > until.getTime()) break;
      const at = new Date(Math.max(next, now.getTime()));
      if ((await applyDueSchedules(tx, key, at, listRunningParameters)) === 0) break;
      await tx.execute(sql`
        UPDATE config_versions SET created_at = ${at}
        WHERE ${isOfTenant(key)} AND version > ${newest}`);
      newest = (await getCurrentVersion(tx, key)).version;
    }
    if (newest > version) await notify(tx, CONFIG_CHANNEL, nameOfTenant(key));
  }
}
