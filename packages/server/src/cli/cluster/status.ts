import { setTimeout as sleep } from 'node:timers/promises';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { sql } from '../../platform/database/sql.ts';
import { groupDigits } from '../progress.ts';
import type { Cluster } from './connection.ts';
import { drawTable, writeBytes } from './table.ts';
import { askNodes, listNodes } from './nodes.ts';
import type { Node } from './nodes.ts';
import { listPlacements } from './placements.ts';
import type { Placement } from './placements.ts';

/** The time during which written rows are counted, in seconds. */
const WATCH_SECONDS = 2;

/**
 * The query for the size of the database, and for the rows
 * written to each schema since the statistics of the node began.
 */
const COUNTS = `
  SELECT json_build_object(
    'bytes', pg_database_size(current_database()),
    'written', coalesce(json_object_agg(schemaname, written), '{}'))
  FROM (SELECT schemaname, sum(n_tup_ins + n_tup_upd + n_tup_del) AS written
        FROM pg_stat_user_tables WHERE schemaname LIKE 'group\\_%' GROUP BY schemaname) AS schemas`;

interface Counts {
  bytes: number;
  written: Record<string, number>;
}

/** Prints the nodes and groups of a cluster with their sizes and load. */
export async function showStatus({ client, database, groups, say }: Cluster): Promise<void> {
  const nodes = await listNodes(client);
  const placements = await listPlacements(client, groups);
  const games = await database.query<{ group: number; games: number }>(
    sql`SELECT tenant_group AS group, count(*) AS games FROM games GROUP BY tenant_group`,
  );
  const readCounts = async () => {
    const answers = await askNodes(client, COUNTS);
    return new Map(
      nodes.map(({ id, address }) => {
        const answer = answers.get(id);
        const isThere = answer !== undefined && 'value' in answer;
        return [address, isThere ? (JSON.parse(answer.value) as Counts) : null];
      }),
    );
  };
  const before = await readCounts();
  await sleep(WATCH_SECONDS * 1_000);
  const after = await readCounts();

  const rateOf = ({ group, node }: Placement): number | null => {
    const schema = schemaOf(group);
    const [first, last] = [before.get(node)?.written[schema], after.get(node)?.written[schema]];
    if (first === undefined || last === undefined) return null;
    return Math.max(0, last - first) / WATCH_SECONDS;
  };
  const stateOf = ({ address, is_active, takes_groups }: Node): string => {
    if (after.get(address) === null) return is_active ? 'cannot be reached' : 'disabled';
    return takes_groups ? 'takes groups' : 'takes no groups';
  };

  const sum = (numbers: (number | null)[]) =>
    numbers.reduce<number>((total, number) => total + (number ?? 0), 0);
  say(
    drawTable(
      ['Node', 'Role', 'Groups', 'Size', 'Rows written/s', 'State'],
      nodes.map((node) => {
        const own = placements.filter((placement) => placement.node === node.address);
        return [
          node.address,
          node.is_coordinator ? 'coordinator' : 'worker',
          groupDigits(own.length),
          writeBytes(after.get(node.address)?.bytes ?? null),
          writeRate(after.get(node.address) === null ? null : sum(own.map(rateOf))),
          stateOf(node),
        ];
      }),
    ),
  );
  say('');
  say(
    drawTable(
      ['Group', 'Node', 'Games', 'Size', 'Rows written/s'],
      placements.map((placement) => [
        String(placement.group),
        placement.node,
        groupDigits(games.find(({ group }) => group === placement.group)?.games ?? 0),
        writeBytes(placement.bytes),
        writeRate(rateOf(placement)),
      ]),
    ),
  );
}

const writeRate = (rate: number | null) => (rate === null ? '?' : groupDigits(Math.round(rate)));
