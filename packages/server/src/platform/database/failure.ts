import { COPY_ROUTINE } from './cluster/copy-errors.ts';

/** The meaning of a failed statement for the caller. */
type DatabaseFailure =
  /** The database is down or overloaded, or it stopped the statement: trying again may help. */
  | 'unavailable'
  /** PostgreSQL refused a value; the statement changed nothing. */
  | 'refused_value'
  /** PostgreSQL answered that the statement failed and changed nothing. */
  | 'rolled_back'
  /** Not an error of the database. */
  | 'other';

const UNAVAILABLE_STATES = /^(08|53|57|58|55P03|40001|40P01|25P03|25P04)/;
const CONNECTION_ERRORS =
  /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|ENETUNREACH)/;
const CONNECTION_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client (was closed|has encountered)|not queryable|after calling end on the pool/;
/** SQLSTATEs by which the coordinator of a cluster reports that it has lost a node during a statement. */
const LOST_NODE_STATES = /^(08|57P0)/;
/** Functions of Citus that report such a loss as an internal error. */
const LOST_NODE_ROUTINES = [
  'ErrorIfPostCommitFailedShardPlacements',
  'MarkRemoteTransactionFailed',
  COPY_ROUTINE,
  'ReportResultError',
];
/**
 * Citus ends a statement with this internal error, in many of its functions, when the coordinator itself
 * is killed.
 */
const KILLED_COORDINATOR = 'postmaster was shut down, exiting';
/** SQLSTATEs of internal errors. Errors of a broken connection between nodes have them too. */
const INTERNAL_ERRORS = ['XX000', '58030'];
/** The group moved to another node between two steps of a statement, which has changed nothing. */
const MOVED_MEANWHILE = 'CIINF';

/** Classifies an error by its SQLSTATE, or by the driver's message if the error has no SQLSTATE. */
export function classifyFailure(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return 'other';
  const code = codeOf(error);
  if ('severity' in error) {
    if (UNAVAILABLE_STATES.test(code) || code === MOVED_MEANWHILE || hasLostNode(error)) {
      return 'unavailable';
    }
    return code.startsWith('22') ? 'refused_value' : 'rolled_back';
  }
  if (CONNECTION_ERRORS.test(code) || CONNECTION_MESSAGES.test(error.message)) return 'unavailable';
  return 'other';
}

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Tells whether a cluster has lost a node or its coordinator. If it has, the
 * outcome of the statement is unknown.
 */
const hasLostNode = (error: Error): boolean =>
  LOST_NODE_STATES.test(codeOf(error)) ||
  (INTERNAL_ERRORS.includes(codeOf(error)) &&
    (error.message === KILLED_COORDINATOR ||
      ('routine' in error && LOST_NODE_ROUTINES.includes(String(error.routine)))));

/**
 * Tells whether the statement certainly changed nothing: PostgreSQL itself answered with an error and
 * kept the connection. After a lost connection the outcome is unknown. The same is true of connections
 * between the nodes of a cluster: a node may have committed before it was lost.
 */
export function isKnownRollback(error: unknown): boolean {
  if (!(error instanceof Error) || !('severity' in error)) return false;
  return error.severity === 'ERROR' && !hasLostNode(error);
}

const UNIQUE_VIOLATION = '23505';

/**
 * Tells whether a row violates a unique constraint. On a cluster, only the message names the
 * constraint, and the name has the number of a shard at its end.
 */
export function violates(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) {
    return false;
  }
  return 'constraint' in error && error.constraint !== undefined
    ? error.constraint === constraint
    : error.message.includes(`${constraint}_`);
}
