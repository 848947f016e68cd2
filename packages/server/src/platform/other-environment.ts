import { ENVIRONMENTS } from '@overworld/contract/common';
import { notFound } from './errors.ts';
import type { ApiError } from './errors.ts';
import type { Tenant } from './players/player-key.ts';

/**
 * Makes the 404 error for a thing whose id belongs to one environment. If the thing is in another environment
 * of the game, the error names that environment.
 * @param thing The kind of the thing, such as `Experiment`.
 * @param find Finds the thing in an environment; null when it is not there.
 */
export async function notFoundIn(
  { game_id, environment }: Tenant,
  thing: string,
  find: (tenant: Tenant) => Promise<object | null>,
): Promise<ApiError> {
  for (const other of ENVIRONMENTS) {
    if (other === environment || (await find({ game_id, environment: other })) === null) continue;
    return notFound(
      `${thing} not found in ${environment}: it is in ${other}, so send environment=${other}`,
    );
  }
  return notFound(`${thing} not found`);
}
