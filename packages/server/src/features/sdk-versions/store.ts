import { MAX_SDK_VERSIONS, SDK_DAYS, SDKS } from '@overworld/contract/games/sdk-versions';
import type { listSdkVersions, Sdk } from '@overworld/contract/games/sdk-versions';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { isOfTenant } from '../../platform/players/player-key.ts';
import type { Tenant } from '../../platform/players/player-key.ts';
import { RELEASE } from '../../platform/release.ts';
import { isOlder } from './version-order.ts';

interface Row {
  sdk: string;
  version: string;
  call_count: number;
  last_day: string;
}

/** Reads the calls of the last days by SDK and version. */
export async function readSdkVersions(
  database: Queryable,
  tenant: Tenant,
  days: number,
): Promise<SuccessOf<typeof listSdkVersions>> {
  const rows = await database.query<Row>(sql`
    SELECT sdk, version, sum(calls)::bigint AS call_count, max(day)::text AS last_day
    FROM sdk_calls
    WHERE ${isOfTenant(tenant)} AND day > (now() AT TIME ZONE 'UTC')::date - ${days}::integer
    GROUP BY sdk, version
    ORDER BY call_count DESC, sdk, version`);
  const named = rows.filter((row): row is Row & { sdk: Sdk } => SDKS.includes(row.sdk as Sdk));
  const listed = named.slice(0, MAX_SDK_VERSIONS);
  const sumOf = (some: Row[]) => some.reduce((sum, { call_count }) => sum + call_count, 0);
  const unnamed_call_count = sumOf(rows.filter(({ sdk }) => sdk === ''));
  return {
    environment: tenant.environment,
    server_version: RELEASE,
    sdk_versions: listed.map((row) => ({ ...row, is_older: isOlder(row.version, RELEASE) })),
    other_call_count: sumOf(rows) - sumOf(listed) - unnamed_call_count,
    unnamed_call_count,
  };
}

/** Deletes the counts of days that no request can read. */
export async function deleteOldSdkCalls(group: Database): Promise<void> {
  await group.execute(sql`
    DELETE FROM sdk_calls WHERE day <= (now() AT TIME ZONE 'UTC')::date - ${SDK_DAYS}::integer`);
}
