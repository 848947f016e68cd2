import type { Environment } from '@overworld/contract/common';
import { copyToEnvironment } from '@overworld/contract/definitions/environments';
import { badRequest } from '../../platform/errors.ts';
import type { Want } from './machine.ts';

/**
 * Wants that an environment has what another one has now.
 * @throws ApiError 400 when both are the same.
 */
export function wantCopy(from: Environment, to: Environment): Want {
  if (from === to) throw badRequest('to must be another environment than from');
  return (present) => ({
    definitions: new Map(
      [...present].map(([kind, byKey]) => {
        const all = [...byKey].map(([key, definition]) => ({ kind, key, definition }));
        const copied = copyToEnvironment(all, from, to);
        return [kind, new Map(copied.map(({ key, definition }) => [key, definition]))] as const;
      }),
    ),
    prune: false,
  });
}
