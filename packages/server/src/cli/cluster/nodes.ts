import type pg from 'pg';
import { CommandError } from '../command.ts';

/** A PostgreSQL server of the cluster. */
export interface Node {
  id: number;
  /** Such as `10.0.0.2:5432`. */
  address: string;
  host: string;
  port: number;
  is_coordinator: boolean;
  /** False after `citus_disable_node`. */
  is_active: boolean;
  /** True if groups may be moved to the node. */
  takes_groups: boolean;
}

/** A host name, an IPv4 address, or an IPv6 address in brackets; then a port. */
const ADDRESS = /^(?:\[([\da-f:]+)\]|([\w.-]+)):(\d{1,5})$/i;

/** Parses the address of a node. @throws CommandError when the word is not such an address. */
export function parseAddress(word: string): { host: string; port: number } {
  const [, six, name, digits] = ADDRESS.exec(word) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= 65_535)) {
    throw new CommandError(
      `${word} is not the address of a node: write its host and port, such as 10.0.0.2:5432.`,
    );
  }
  return { host: six ?? name!, port };
}

export const addressOf = ({ host, port }: { host: string; port: number }): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Lists all nodes except replicas, the coordinator first. */
export async function listNodes(client: pg.ClientBase): Promise<Node[]> {
  const { rows } = await client.query<Omit<Node, 'address'>>(`
    SELECT nodeid AS id, nodename AS host, nodeport AS port, groupid = 0 AS is_coordinator,
      isactive AS is_active, shouldhaveshards AS takes_groups
    FROM pg_dist_node WHERE noderole = 'primary'
    ORDER BY groupid`);
  return rows.map((node) => ({ ...node, address: addressOf(node) }));
}

/** Finds the node with an address. @throws CommandError when the cluster has no such node. */
export function findNode(nodes: readonly Node[], word: string): Node {
  const address = addressOf(parseAddress(word));
  const node = nodes.find((candidate) => candidate.address === address);
  if (node === undefined) {
    throw new CommandError(
      `${word} is not a node of this cluster, which has ${nodes.map((one) => one.address).join(', ')}.`,
    );
  }
  return node;
}

/** Runs the statement on all nodes. The result has the value, or the error, that each node returned. */
export async function askNodes(
  client: pg.ClientBase,
  statement: string,
): Promise<Map<number, { value: string } | { error: string }>> {
  const { rows } = await client.query<{ id: number; success: boolean; result: string }>(
    `SELECT nodeid AS id, success, result
     FROM run_command_on_all_nodes($1, give_warning_for_connection_errors => true)`,
    [statement],
  );
  return new Map(
    rows.map(({ id, success, result }) => [id, success ? { value: result } : { error: result }]),
  );
}

/**
 * Checks that every node is ready for moves of groups of games between nodes. A group moves by logical
 * replication, and each node must be told about the move. A move copies only the commits that are in the log
 * of the old node. With `synchronous_commit = off`, acknowledged commits may not be in the log yet, and would
 * be lost.
 * @throws CommandError when a node is not ready.
 */
export async function requireReadyNodes(
  client: pg.ClientBase,
  nodes: readonly Node[],
): Promise<void> {
  const settings = await askNodes(
    client,
    `SELECT current_setting('wal_level') || ' ' || current_setting('synchronous_commit')`,
  );
  for (const { id, address } of nodes) {
    const answer = settings.get(id) ?? { error: '' };
    if ('error' in answer) {
      throw new CommandError(
        `The node ${address} cannot be reached, and every node must learn of a move: bring it or its replica back first.`,
      );
    }
    const [wal_level, synchronous_commit] = answer.value.split(' ');
    if (wal_level !== 'logical') {
      throw new CommandError(
        `On the node ${address} wal_level is ${wal_level}, and groups move by logical replication: set wal_level = logical there and restart it.`,
      );
    }
    if (synchronous_commit === 'off') {
      throw new CommandError(
        `On the node ${address} synchronous_commit is off, and a move would lose the newest writes: set synchronous_commit = on there and reload it.`,
      );
    }
  }
}
