import type { getInstallationSizes } from '@overworld/contract/administration/sizes';
import type { SuccessOf } from '@overworld/contract/operation';
import type { Database } from '../../../platform/database/database.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { Sql } from '../../../platform/database/sql.ts';

type Sizes = SuccessOf<typeof getInstallationSizes>;
type TableSize = Sizes['tables'][number];

/** A table as one server of PostgreSQL has it. */
interface TablePart extends TableSize {
  /** True if each node of a cluster has all rows. */
  is_copied: boolean;
}

/** The tables and partitions of the installation and of all groups of games. Partitions count as their table. */
const relations = sql`
  pg_class AS part
  JOIN pg_namespace ON pg_namespace.oid = part.relnamespace
  LEFT JOIN pg_inherits ON inhrelid = part.oid
  LEFT JOIN pg_class AS parent ON parent.oid = inhparent`;

const isOurs = sql`part.relkind = 'r' AND (nspname = 'public' OR nspname LIKE 'group\\_%')`;

/**
 * The rows on a page at the last VACUUM or ANALYZE, on as many pages as there are now, as the planner does it.
 * A table that had no rows then has those that PostgreSQL has counted since its last crash.
 */
const rowCount = sql`
  CASE WHEN part.reltuples > 0 AND part.relpages > 0
       THEN part.reltuples / part.relpages
            * (pg_relation_size(part.oid) / current_setting('block_size')::integer)
       ELSE pg_stat_get_live_tuples(part.oid) END`;

const sumOfParts = sql`
  sum(pg_total_relation_size(part.oid))::bigint AS bytes,
  sum(pg_indexes_size(part.oid))::bigint AS index_bytes,
  sum(${rowCount})::bigint AS row_count`;

const partsOfServer = sql`
  SELECT COALESCE(parent.relname, part.relname) AS name, false AS is_copied, ${sumOfParts}
  FROM ${relations}
  WHERE ${isOurs}
  GROUP BY 1`;

/** On a node, the rows of `events` are in tables such as `events_102008`, whose number is that of the shard. */
const partsOfNode = sql`
  SELECT COALESCE(logical.relname, parent.relname, part.relname) AS name,
         COALESCE(bool_or(repmodel = 't'), false) AS is_copied, ${sumOfParts}
  FROM ${relations}
  LEFT JOIN pg_dist_shard
    ON shardid = substring(COALESCE(parent.relname, part.relname) FROM '_(\\d{1,18})$')::bigint
  LEFT JOIN pg_dist_partition USING (logicalrelid)
  LEFT JOIN pg_class AS logical ON logical.oid = logicalrelid
  WHERE ${isOurs}
  GROUP BY 1`;

const asJson = (parts: Sql): Sql =>
  sql`SELECT COALESCE(json_agg(parts), '[]')::text AS parts FROM (${parts}) AS parts`;

/** Measures all tables, the largest first. A node that does not answer within two seconds is left out. */
export function measureTables(
  database: Database,
): Promise<Pick<Sizes, 'tables' | 'unreachable_nodes'>> {
  return database.formFor({ plain: measureServer, cluster: measureNodes })(database);
}

async function measureServer(database: Database) {
  const row = await database.queryOne<{ parts: string }>(asJson(partsOfServer));
  return { tables: addUp([row!.parts]), unreachable_nodes: [] };
}

async function measureNodes(database: Database) {
  const answers = await database.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('citus.node_connection_timeout', '2s', true)`);
    return tx.query<{ address: string; parts: string | null }>(sql`
      WITH answers AS MATERIALIZED (
        SELECT nodeid, success, result
        FROM run_command_on_all_nodes(${asJson(partsOfNode).text},
                                      give_warning_for_connection_errors => true)
      )
      SELECT nodename || ':' || nodeport AS address, CASE WHEN success THEN result END AS parts
      FROM pg_dist_node
      LEFT JOIN answers USING (nodeid)
      WHERE noderole = 'primary' AND isactive
      ORDER BY groupid`);
  });
  return {
    tables: addUp(answers.flatMap(({ parts }) => parts ?? [])),
    unreachable_nodes: answers.flatMap(({ address, parts }) => (parts === null ? address : [])),
  };
}

/** @param answers The parts of each server, as JSON. */
function addUp(answers: readonly string[]): TableSize[] {
  const tables = new Map<string, TableSize>();
  for (const answer of answers) {
    for (const { is_copied, ...part } of JSON.parse(answer) as TablePart[]) {
      const table = tables.get(part.name);
      if (table === undefined) {
        tables.set(part.name, part);
        continue;
      }
      table.bytes += part.bytes;
      table.index_bytes += part.index_bytes;
      table.row_count = is_copied
        ? Math.max(table.row_count, part.row_count)
        : table.row_count + part.row_count;
    }
  }
  return [...tables.values()].toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
}
