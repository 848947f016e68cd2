import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { CommandError } from '../command.ts';
import { showProgress } from '../progress.ts';
import type { Cluster } from './connection.ts';
import { describe } from './move-group.ts';
import type { MoveProgress } from './move-group.ts';
import { addressOf, listNodes, requireReadyNodes } from './nodes.ts';
import { listPlacements } from './placements.ts';
import { drawTable, writeBytes } from './table.ts';

const LOOK_INTERVAL_MS = 500;

/** Spreads the groups of games evenly over the nodes, by size. Games can be played meanwhile. */
export async function rebalance(
  cluster: Cluster,
  { plan_only }: { plan_only: boolean },
): Promise<void> {
  const { client, groups, say } = cluster;
  const running = await findJob(client);
  if (running !== null && !isOver(running)) {
    say('Groups are moving already.');
    return plan_only ? undefined : followJob(cluster, running.job_id);
  }
  const moves = await planMoves(client, groups);
  if (moves.length === 0) return say('The groups are spread evenly already.');
  say(
    drawTable(
      ['Group', 'From', 'To', 'Size'],
      moves.map(({ group, from, to, bytes }) => [String(group), from, to, writeBytes(bytes)]),
    ),
  );
  if (plan_only) return;
  await requireReadyNodes(client, await listNodes(client));
  await moveInBackground(cluster, { drain_only: false });
}

/**
 * Lets Citus move groups in the background, and shows the progress of the moves.
 * @param drain_only True: only empties the nodes that must not hold groups any more. False: also balances
 * the other nodes.
 */
export async function moveInBackground(
  cluster: Cluster,
  { drain_only }: { drain_only: boolean },
): Promise<void> {
  const { rows } = await cluster.client.query<{ job_id: number | null }>(
    'SELECT citus_rebalance_start(drain_only => $1) AS job_id',
    [drain_only],
  );
  const job_id = rows[0]?.job_id ?? null;
  if (job_id !== null) await followJob(cluster, job_id);
}

interface Move {
  group: number;
  from: string;
  to: string;
  /** The size of the group in bytes; null while its node cannot be reached. */
  bytes: number | null;
}

/** Lists the moves that Citus would make now. */
async function planMoves(client: pg.ClientBase, groups: number): Promise<Move[]> {
  const { rows } = await client.query<{
    group: number;
    source: string;
    source_port: number;
    target: string;
    target_port: number;
  }>(
    `SELECT place - 1 AS group, sourcename AS source, sourceport AS source_port,
       targetname AS target, targetport AS target_port
     FROM get_rebalance_table_shards_plan()
     JOIN pg_class ON pg_class.oid = table_name
     JOIN pg_namespace ON pg_namespace.oid = relnamespace
     JOIN unnest($1::text[]) WITH ORDINALITY AS schemas (name, place) ON name = nspname
     GROUP BY place, sourcename, sourceport, targetname, targetport
     ORDER BY place`,
    [Array.from({ length: groups }, (_, group) => schemaOf(group))],
  );
  // The sizes in the plan of Citus are often 0, so they are read from the nodes.
  const placements = await listPlacements(client, groups);
  return rows.map(({ group, ...move }) => ({
    group,
    from: addressOf({ host: move.source, port: move.source_port }),
    to: addressOf({ host: move.target, port: move.target_port }),
    bytes: placements.find((placement) => placement.group === group)?.bytes ?? null,
  }));
}

/** The last job of the rebalancer. */
interface Job {
  job_id: number;
  state: string;
  details: {
    task_state_counts: Record<string, number>;
    tasks: {
      phase?: string;
      message?: string | null;
      size?: { source: number | null; target: number | null };
    }[];
  };
}

const isOver = ({ state }: Job) => ['finished', 'cancelled', 'failed'].includes(state);

async function findJob(client: pg.ClientBase): Promise<Job | null> {
  const { rows } = await client.query<Job>(
    'SELECT job_id, state::text, details FROM citus_rebalance_status(true)',
  );
  return rows[0] ?? null;
}

/** Shows the progress of a job until it ends. The job goes on if the command is interrupted. */
async function followJob({ client }: Cluster, job_id: number): Promise<void> {
  const progress = showProgress();
  const begun = performance.now();
  for (;;) {
    const job = await findJob(client);
    if (job === null || job.job_id !== job_id) return;
    if (isOver(job)) {
      if (job.state !== 'finished') throw new CommandError(describeEnd(job));
      const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
      return progress.done(`Moved, after ${seconds} s.`);
    }
    const { task_state_counts: counts, tasks } = job.details;
    const done = counts.done ?? 0;
    const all = Object.values(counts).reduce((total, count) => total + count, 0);
    const moves = tasks.flatMap(({ phase, size, message }) => {
      if (message) return `a step is tried again: ${firstLine(message)}`;
      return size ? describe({ ...size, phase: phase ?? null } satisfies MoveProgress) : [];
    });
    progress.update(done / all, [`${done} of ${all} steps`, ...moves].join('; '));
    await sleep(LOOK_INTERVAL_MS);
  }
}

function describeEnd({ state, details }: Job): string {
  const reason = details.tasks.map(({ message }) => message).find(Boolean);
  const end = state === 'cancelled' ? 'was stopped' : 'failed';
  return `The move of groups ${end}${reason ? `: ${firstLine(reason)}` : ''}. Groups that were moved before stay where they are now; run the command again to go on.`;
}

const firstLine = (text: string) => text.trim().split('\n')[0]!;
