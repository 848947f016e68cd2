import type { Operation } from '@overworld/contract/operation';

/**
 * Chooses the operations that a test over all of them calls. In `npm test` these are the first operation of
 * each access and method, because calling all operations in every way takes a minute of CPU. Slow tests set
 * LONG_FORMS and get all operations.
 */
export function sweep(operations: readonly Operation[]): readonly Operation[] {
  if (process.env.LONG_FORMS) return operations;
  return [
    ...new Map(
      operations
        .toReversed()
        .map((operation) => [`${operation.access} ${operation.method}`, operation]),
    ).values(),
  ];
}
