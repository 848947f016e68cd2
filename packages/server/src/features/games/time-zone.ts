import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { badRequest } from '../../platform/errors.ts';

/**
 * A time zone's name as PostgreSQL spells it. Node and PostgreSQL both cut days by it, and each knows
 * names that the other lacks, such as `+02:00` and `posixrules`.
 * @throws ApiError 400 when one of the two does not know the name.
 */
export async function readTimeZone(database: Queryable, name: string): Promise<string> {
  const row = isKnownToNode(name)
    ? await database.queryOne<{ name: string }>(sql`
        SELECT name FROM pg_timezone_names WHERE lower(name) = lower(${name})`)
    : null;
  if (row === null) throw badRequest('time_zone must be an IANA time zone, such as Europe/Berlin');
  return row.name;
}

function isKnownToNode(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
