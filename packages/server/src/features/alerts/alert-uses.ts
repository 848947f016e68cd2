import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { UsedThing } from '../../platform/definition-uses.ts';

/** Lists the alerts that watch metrics of the game. */
export async function listAlertUses(
  tx: Queryable,
  game_id: string,
  things: readonly UsedThing[],
): Promise<string[][]> {
  if (things.every(({ kind }) => kind !== 'metric')) return things.map(() => []);
  const alerts = await tx.query<{ name: string; environment: string; metric_key: string }>(sql`
    SELECT name, environment, metric_key FROM alerts
    WHERE game_id = ${game_id} AND metric_key IS NOT NULL ORDER BY created_at, id`);
  return things.map((thing) =>
    alerts
      .filter(({ metric_key }) => thing.kind === 'metric' && metric_key === thing.key)
      .map(({ name, environment }) => `the alert "${name}" of ${environment}`),
  );
}
