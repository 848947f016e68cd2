import type pg from 'pg';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { sql } from '../../platform/database/sql.ts';
import { CommandError } from '../command.ts';
import { showProgress } from '../progress.ts';
import type { Progress } from '../progress.ts';
import type { Cluster } from './connection.ts';
import { findNode, listNodes, requireReadyNodes } from './nodes.ts';
import { listPlacements, parseGroup } from './placements.ts';
import { writeBytes } from './table.ts';

const LOOK_INTERVAL_MS = 500;

/**
 * Moves a group to a node while its games are in use. If the move fails or is
 * interrupted, the group stays where it is, and Citus removes the unfinished copy.
 * @param word The number of the group.
 * @param to The address of the node.
 */
export async function moveGroup(cluster: Cluster, word: string, to: string): Promise<void> {
  const { client, groups, say } = cluster;
  const group = parseGroup(word, groups);
  const nodes = await listNodes(client);
  const { address, host, port, takes_groups } = findNode(nodes, to);
  const placements = await listPlacements(client, groups);
  const now = placements.find((placement) => placement.group === group)?.node;
  if (now === address) return say(`Group ${group} is on ${address} already.`);
  if (!takes_groups) {
    throw new CommandError(
      `The node ${address} takes no groups: it is the coordinator, or is being removed.`,
    );
  }
  await requireReadyNodes(client, nodes);
  const progress = showProgress();
  const begun = performance.now();
  const stop = watch(cluster, progress, `Group ${group}`);
  try {
    await client.query('SELECT citus_schema_move($1::regnamespace, $2::text, $3::integer)', [
      schemaOf(group),
      host,
      port,
    ]);
  } finally {
    await stop();
  }
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  progress.done(`Group ${group} is on ${address} now, after ${seconds} s.`);
}

/**
 * Shows the progress of the move that `client` runs, as `database` sees it.
 * @returns a function that stops the display.
 */
function watch({ client, database }: Cluster, progress: Progress, name: string) {
  // The driver's types lack this field.
  const { processID } = client as pg.PoolClient & { processID: number };
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(async () => {
      const row = await database.queryOne<MoveProgress>(sql`
        SELECT sum(source_shard_size)::bigint AS source, sum(target_shard_size)::bigint AS target,
          min(status) AS phase
        FROM get_rebalance_progress() WHERE sessionid = ${processID}`);
      if (row?.source) progress.update(shareOf(row), `${name}: ${describe(row)}`);
    });
    // If the progress cannot be read, nothing is shown. If the move fails, the error of the move says why.
    looking = looking.catch(() => undefined);
  }, LOOK_INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return looking;
  };
}

/** The progress of a move: the sizes of the group's tables on the old and on the new node. */
export interface MoveProgress {
  source: number | null;
  target: number | null;
  /** Such as `Copying Data`. */
  phase: string | null;
}

const shareOf = ({ source, target }: MoveProgress): number =>
  source ? Math.min(1, (target ?? 0) / source) : 0;

/** Describes how far a move is, such as `copying data, 10 MB of 1.2 GB`. */
export const describe = ({ source, target, phase }: MoveProgress): string =>
  `${phase?.toLowerCase() ?? 'starting'}, ${writeBytes(target ?? 0)} of ${writeBytes(source)}`;
