import type pg from 'pg';
import { allowTriggers, hasCitus } from '../../platform/database/cluster/citus.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { CommandError } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { withInstallation } from '../installation.ts';

/** An installation on a Citus cluster. */
export interface Cluster {
  /** A session on the coordinator, for the functions of Citus. */
  client: pg.PoolClient;
  /** Another session, to watch the functions while they run. */
  database: GroupedDatabase;
  groups: number;
  say: (line: string) => void;
}

/** Opens the cluster of an installation. @throws CommandError when it is not spread over a Citus cluster. */
export async function withCluster(
  context: CommandContext,
  work: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  await withInstallation(context, async (database) => {
    const client = await database.connect();
    try {
      await requireCluster(client, database.groups.length);
      await allowTriggers(client);
      // With the first setting, a silent node keeps the command waiting for 5 s instead of 30 s. With the
      // second one, the work on the cluster ends when the command is ended.
      await client.query(`
        SELECT set_config('citus.node_connection_timeout', '5s', false),
               set_config('client_connection_check_interval', '2s', false)`);
      await work({ client, database, groups: database.groups.length, say: context.say });
    } catch (error) {
      throw inWords(error);
    } finally {
      client.release(true);
    }
  });
}

async function requireCluster(client: pg.ClientBase, groups: number): Promise<void> {
  if (!(await hasCitus(client))) {
    throw new CommandError(
      'This installation is on one PostgreSQL, which is no coordinator of a Citus cluster: there are no nodes to show or change.',
    );
  }
  if (groups === 1) {
    throw new CommandError(
      'This installation has one group of games, which stays on the coordinator: only one that was made with TENANT_GROUPS spreads over a cluster.',
    );
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Turns a refusal of Citus into sentences for the user; returns other errors unchanged. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || !('severity' in error)) return error;
  const { detail, hint, code } = error as pg.DatabaseError;
  const remedy =
    code === INSUFFICIENT_PRIVILEGE
      ? 'Set DATABASE_URL to the coordinator with the name of a superuser.'
      : hint;
  const parts = [error.message, detail, remedy].flatMap((part) => part?.trim() || []);
  const sentences = parts.map((part) => (/[.!?]$/.test(part) ? part : `${part}.`));
  return new CommandError(`The cluster refuses: ${sentences.join(' ')}`, { cause: error });
}
