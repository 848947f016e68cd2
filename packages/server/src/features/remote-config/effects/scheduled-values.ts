import { isDeepStrictEqual } from 'node:util';
import { ENVIRONMENTS } from '@overworld/contract/common';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import type { Queryable } from '../../../platform/database/database.ts';
import type { FoundEffect } from '../../../platform/definitions/effects.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { readParameters } from '../parameters.ts';
import { listRunningSchedules } from '../schedules/store.ts';
import { decisiveOf } from './decisive.ts';

type Parameters = Readonly<Record<string, ConfigParameter>>;

/**
 * Names the values of a plan that end with no scheduled change, although they come from one or replace one: a copy
 * takes over what a running change has set in the other environment, but not its end.
 * @param changed The parameters that get other values.
 */
export async function findScheduledValues(
  database: Queryable,
  { game_id, environment }: Tenant,
  changed: readonly string[],
  next: Parameters,
): Promise<FoundEffect[]> {
  const found: FoundEffect[] = [];
  for (const of of ENVIRONMENTS) {
    for (const schedule of await listRunningSchedules(database, { game_id, environment: of })) {
      const { name, ends_at } = schedule;
      const set = Object.fromEntries(readParameters(schedule.parameters)) as Parameters;
      for (const key of changed.filter((it) => Object.hasOwn(set, it))) {
        const is_same = isDeepStrictEqual(decisiveOf(set, key), decisiveOf(next, key));
        if (of !== environment && !is_same) continue;
        const words =
          of === environment
            ? `The scheduled change "${name}" sets \`${key}\` until ${ends_at}. Its end does not bring back the earlier value after an apply.`
            : `\`${key}\` has this value in ${of} until ${ends_at} only, by the scheduled change "${name}". In ${environment} it stays.`;
        found.push({
          about: 'uses',
          environment,
          part: key,
          state: 'counted',
          numbers: { uses: 1 },
          words,
        });
      }
    }
  }
  return found;
}
