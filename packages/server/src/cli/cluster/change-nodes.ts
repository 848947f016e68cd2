import type pg from 'pg';
import { CommandError } from '../command.ts';
import type { Cluster } from './connection.ts';
import {
  addressOf,
  askNodes,
  findNode,
  listNodes,
  parseAddress,
  requireReadyNodes,
} from './nodes.ts';
import type { Node } from './nodes.ts';
import { listPlacements } from './placements.ts';
import { moveInBackground } from './rebalance.ts';

/**
 * Adds a PostgreSQL with Citus to the cluster as a node. At first, the node has no groups. The node must
 * have an empty database with the same name as the cluster's database.
 */
export async function addNode({ client, say }: Cluster, word: string): Promise<void> {
  const node = parseAddress(word);
  const address = addressOf(node);
  const known = (await listNodes(client)).find((candidate) => candidate.address === address);
  if (known?.is_coordinator || known?.takes_groups) {
    return say(`${address} is a node of this cluster already.`);
  }
  if (known !== undefined) {
    await takeGroups(client, known, true);
    return say(`${address} takes groups again.`);
  }
  await client.query('SELECT citus_add_node($1, $2)', [node.host, node.port]);
  say(
    `Added the node ${address}. It has no groups yet: overworld cluster rebalance moves some to it.`,
  );
}

/** Moves the groups of a node to other nodes, and then removes the node from the cluster. */
export async function removeNode(cluster: Cluster, word: string): Promise<void> {
  const { client, groups, say } = cluster;
  const nodes = await listNodes(client);
  const node = findNode(nodes, word);
  const { address, host, port } = node;
  if (node.is_coordinator) {
    throw new CommandError(`${address} is the coordinator, which cannot be removed.`);
  }
  const countGroups = async () => {
    const placements = await listPlacements(client, groups);
    return placements.filter((placement) => placement.node === address).length;
  };
  if ((await countGroups()) > 0) {
    const answers = await askNodes(client, 'SELECT 1');
    const answer = answers.get(node.id);
    if (answer === undefined || 'error' in answer) {
      throw new CommandError(
        `The node ${address} cannot be reached, and has groups: bring it or its replica back first.`,
      );
    }
    const others = nodes.filter(({ id, takes_groups }) => id !== node.id && takes_groups);
    if (others.length === 0) {
      throw new CommandError(
        `${address} is the last node that takes groups: add another one first.`,
      );
    }
    await requireReadyNodes(client, nodes);
    await takeGroups(client, node, false);
    await moveInBackground(cluster, { drain_only: true });
    const left = await countGroups();
    if (left > 0) {
      throw new CommandError(
        `The node ${address} still has ${left} groups: run the command again.`,
      );
    }
  }
  await client.query('SELECT citus_remove_node($1, $2)', [host, port]);
  say(`Removed the node ${address}.`);
}

async function takeGroups(
  client: pg.ClientBase,
  { host, port }: Node,
  takes_groups: boolean,
): Promise<void> {
  await client.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', $3)`, [
    host,
    port,
    takes_groups,
  ]);
}
