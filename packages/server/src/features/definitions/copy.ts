import type { planCopy } from '@overworld/contract/definitions/copies';
import { copyToEnvironment } from '@overworld/contract/definitions/environments';
import type { BodyOf } from '@overworld/contract/operation';
import { badRequest } from '../../platform/errors.ts';
import type { Want } from './machine.ts';

type Copy = BodyOf<typeof planCopy>;

/**
 * Wants that an environment has what another one has now.
 * @throws ApiError 400 when both are the same.
 */
export function wantCopy({ from, to, kinds }: Copy): Want {
  if (from === to) throw badRequest('to must be another environment than from');
  return (present) => ({
    definitions: new Map(
      [...present].map(([kind, byKey]) => {
        const all = [...byKey].map(([key, definition]) => ({ kind, key, definition }));
        const copied = copyToEnvironment(all, from, to, kinds ?? null);
        return [kind, new Map(copied.map(({ key, definition }) => [key, definition]))] as const;
      }),
    ),
    prune: false,
  });
}
