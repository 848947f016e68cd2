import type pg from 'pg';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { CommandError } from '../command.ts';
import { addressOf } from './nodes.ts';

/** A group with its node and its size. */
export interface Placement {
  group: number;
  /** Address of the node. */
  node: string;
  /** The size of the group; null while its node cannot be reached. */
  bytes: number | null;
}

/** Parses the number of a group. @throws CommandError when there is no such group. */
export function parseGroup(word: string, groups: number): number {
  const group = Number(word);
  if (!/^\d{1,4}$/.test(word) || group >= groups) {
    throw new CommandError(
      `There is no group ${word}: this installation has the groups 0 to ${groups - 1}.`,
    );
  }
  return group;
}

/** Lists the nodes and sizes of all groups, in the order of groups. */
export async function listPlacements(client: pg.ClientBase, groups: number): Promise<Placement[]> {
  const { rows } = await client.query<{
    group: number;
    host: string;
    port: number;
    bytes: number | null;
  }>(
    `SELECT place - 1 AS group, nodename AS host, nodeport AS port, sum(shard_size)::bigint AS bytes
     FROM citus_shards
     JOIN pg_class ON pg_class.oid = table_name
     JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN unnest($1::text[]) WITH ORDINALITY AS schemas (name, place) ON name = nspname
     GROUP BY place, nodename, nodeport
     ORDER BY place`,
    [Array.from({ length: groups }, (_, group) => schemaOf(group))],
  );
  return rows.map(({ group, bytes, ...node }) => ({ group, node: addressOf(node), bytes }));
}
