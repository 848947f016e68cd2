/** The name of the function in Citus that reports an error of a node to which it copies rows. */
export const COPY_ROUTINE = 'ReportCopyError';

/** Patterns for PostgreSQL's error messages, and the SQLSTATE of each message. */
const STATES: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint /, '23505'],
  [/ violates foreign key constraint /, '23503'],
  [/ violates check constraint |^no partition of relation /, '23514'],
  [/ violates not-null constraint/, '23502'],
  [/^index row (size|requires) /, '54000'],
  [/^deadlock detected/, '40P01'],
  [/^could not serialize access/, '40001'],
  [/^canceling statement due to lock timeout/, '55P03'],
  [/^canceling statement /, '57014'],
  [/^terminating connection /, '57P01'],
];

/**
 * Sets the right SQLSTATE of an error. If Citus copies rows to a node and the node refuses them, Citus
 * reports an internal error that has only the node's message. An error with an unknown message, such as
 * one in another language, stays internal.
 */
export function restoreState(error: Error): void {
  if (!('code' in error) || error.code !== 'XX000') return;
  if (!('routine' in error) || error.routine !== COPY_ROUTINE) return;
  const [, state] = STATES.find(([pattern]) => pattern.test(error.message)) ?? [];
  if (state !== undefined) error.code = state;
}
