import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/**
 * SQL, the number of an advisory lock of the group in which the statement runs. With one group the number is
 * `lock` itself, which servers of earlier releases take.
 */
export const lockOfGroup = (lock: Sql): Sql => sql`
  CASE WHEN current_schema() LIKE 'group\\_%' THEN hashtextextended(current_schema(), ${lock})
       ELSE ${lock} END`;
