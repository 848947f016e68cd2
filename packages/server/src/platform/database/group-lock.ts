import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/**
 * SQL for the number of an advisory lock of the group in which the statement runs. If there is only one
 * group, the number is `lock` itself, as in earlier releases, whose servers may still run.
 */
export const lockOfGroup = (lock: Sql): Sql => sql`
  CASE WHEN current_schema() LIKE 'group\\_%' THEN hashtextextended(current_schema(), ${lock})
       ELSE ${lock} END`;
