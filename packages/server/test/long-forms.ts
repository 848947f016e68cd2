import type { Operation } from '@overworld/contract/operation';

const SHORT_SHARE = 1 / 5;

/** Tells whether a test runs in its long form, as in `npm run test:slow`. `npm test` runs the short form. */
export const isLongForm = () => process.env.LONG_FORMS !== undefined;

/**
 * Chooses the operations that a test over all of them calls: in its short form the first operation of each
 * access and method, because calling all operations in every way takes a minute of CPU.
 * @param kindOf The kind of an operation, for tests of which the short form needs one of each other kind.
 */
export function sweep(
  operations: readonly Operation[],
  kindOf = ({ access, method }: Operation) => `${access} ${method}`,
): readonly Operation[] {
  if (isLongForm()) return operations;
  return [
    ...new Map(operations.toReversed().map((operation) => [kindOf(operation), operation])).values(),
  ];
}

/** Returns the number of random cases that a test tries: `count` in its long form, a fifth in its short one. */
export const countCases = (count: number): number =>
  isLongForm() ? count : Math.ceil(count * SHORT_SHARE);
