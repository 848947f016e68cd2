import type { Database } from '../database/database.ts';
import type { GroupedDatabase } from '../database/game-groups.ts';
import type { GroupLoad } from '../database/group-load.ts';
import { readNodes } from '../database/cluster/nodes.ts';
import type { NodeState } from '../database/cluster/nodes.ts';
import { sql } from '../database/sql.ts';
import type { Metrics } from './metrics.ts';
import { shareReading } from './shared-reading.ts';

/**
 * The answers of the nodes are cached for this time, because asking all nodes opens connections between
 * them.
 */
const NODES_KEPT_MS = 10_000;

/** Adds the metrics of database groups and of cluster nodes, if games are in several groups. */
export function showGroups(
  metrics: Metrics,
  pools: { database: GroupedDatabase } & Record<string, GroupedDatabase>,
): void {
  const { database } = pools;
  if (database.groups.length === 1) return;
  const addUp = (of: (load: GroupLoad) => number) => () => {
    const totals = database.groups.map(() => 0);
    for (const { group_loads } of Object.values(pools)) {
      group_loads.forEach((load, group) => (totals[group]! += of(load)));
    }
    return Object.fromEntries(totals.entries());
  };
  metrics.addTotals({
    name: 'overworld_group_statements_total',
    help: 'Statements about games of the group.',
    label: 'group',
    read: addUp(({ statements }) => statements),
  });
  metrics.addTotals({
    name: 'overworld_group_statement_seconds_total',
    help: 'Time that statements about games of the group took.',
    label: 'group',
    read: addUp(({ seconds }) => seconds),
  });
  metrics.addTotals({
    name: 'overworld_group_failures_total',
    help: "Statements that failed because the group's node was away, or had too much to do.",
    label: 'group',
    read: addUp(({ failures }) => failures),
  });
  metrics.addGauge({
    name: 'overworld_group_games',
    of_workers: 'first',
    help: 'Games of the group.',
    label: 'group',
    read: () => countGames(database),
  });

  const listNodes = shareReading(() => readNodes(database), NODES_KEPT_MS);
  const ofNodes = (read: (node: NodeState) => number | null) => ({
    of_workers: 'first' as const,
    label: 'node',
    async read() {
      const nodes = await listNodes();
      return Object.fromEntries(
        nodes.flatMap((node) => {
          const value = read(node);
          return value === null ? [] : [[node.address, value]];
        }),
      );
    },
  });
  metrics.addGauge({
    name: 'overworld_node_up',
    help: 'Whether the coordinator of the Citus cluster reaches the node.',
    ...ofNodes(({ is_reachable }) => (is_reachable ? 1 : 0)),
  });
  metrics.addGauge({
    name: 'overworld_node_bytes',
    help: 'Size of the database on the node.',
    ...ofNodes(({ bytes }) => bytes),
  });
  metrics.addGauge({
    name: 'overworld_node_groups',
    help: 'Groups of games on the node.',
    ...ofNodes(({ groups }) => groups),
  });
}

async function countGames(database: Database & Pick<GroupedDatabase, 'groups'>) {
  const rows = await database.query<{ tenant_group: number; games: number }>(
    sql`SELECT tenant_group, count(*) AS games FROM games GROUP BY tenant_group`,
  );
  const counts = database.groups.map(() => 0);
  for (const { tenant_group, games } of rows) counts[tenant_group] = games;
  return Object.fromEntries(counts.entries());
}
