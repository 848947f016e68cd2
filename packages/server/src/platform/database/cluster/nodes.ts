import type { Database } from '../database.ts';
import { sql } from '../sql.ts';

/** A PostgreSQL server of a Citus cluster, as the coordinator sees it. */
export interface NodeState {
  /** The host and the port, such as `citus-2:5432`. */
  address: string;
  is_reachable: boolean;
  /** The size of the database on this node; null if the node does not answer. */
  bytes: number | null;
  /** The number of groups of games whose tables are on this node. */
  groups: number;
}

/**
 * Asks all nodes of the cluster for their state. A node that does not answer within two seconds counts as
 * unreachable. Without a cluster, there are no nodes.
 */
export async function readNodes(database: Database): Promise<NodeState[]> {
  if (database.formFor({ plain: true, cluster: false })) return [];
  return database.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('citus.node_connection_timeout', '2s', true)`);
    return tx.query<NodeState>(sql`
      WITH answers AS MATERIALIZED (
        SELECT nodeid, success, result
        FROM run_command_on_all_nodes('SELECT pg_database_size(current_database())',
                                      give_warning_for_connection_errors => true)
      ), placed AS (
        SELECT groupid, count(DISTINCT relnamespace) AS groups
        FROM pg_dist_placement
        JOIN pg_dist_shard USING (shardid)
        JOIN pg_class ON pg_class.oid = logicalrelid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname LIKE 'group\\_%'
        GROUP BY groupid
      )
      SELECT nodename || ':' || nodeport AS address, COALESCE(success, false) AS is_reachable,
             CASE WHEN success THEN result::bigint END AS bytes,
             COALESCE(placed.groups, 0) AS groups
      FROM pg_dist_node
      LEFT JOIN answers USING (nodeid)
      LEFT JOIN placed USING (groupid)
      WHERE noderole = 'primary' AND isactive
      ORDER BY address`);
  });
}
