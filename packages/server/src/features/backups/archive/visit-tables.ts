import type pg from 'pg';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { schemaOf } from '../../../platform/database/group-directory.ts';
import { INSTALLATION_TABLES } from '../../../platform/database/installation-tables.ts';
import { INBOX_TABLE } from './format.ts';
import type { Moment } from './moment.ts';
import { listTables } from './table-catalog.ts';
import type { Table } from './table-catalog.ts';

/**
 * Lists the groups with the rows of a game, or of all games for null. The list is empty if the installation
 * has one group.
 */
export async function listGroups(
  database: GroupedDatabase,
  game_id: string | null,
): Promise<number[]> {
  if (database.groups.length === 1) return [];
  if (game_id === null) return [...database.groups.keys()];
  await database.learnGames([game_id]);
  return [database.groupOf(game_id)];
}

interface VisitedTable {
  client: pg.ClientBase;
  table: Table;
  /** Undefined for tables of the installation, and if there is only one group. */
  group?: number;
}

/**
 * Visits the tables of the installation, then those of each group. The inboxes come last: when an archive
 * is loaded, their rows can get new ids only after the ids in all other tables are known.
 */
export async function* visitTables(
  moment: Moment,
  groups: readonly number[],
): AsyncGenerator<VisitedTable> {
  const { installation } = moment;
  for (const table of await listTables(installation)) yield { client: installation, table };
  const client = moment.groups;
  for (const is_inbox of [false, true]) {
    for (const group of groups) {
      await client.query(`SET LOCAL search_path = ${schemaOf(group)}, public`);
      for (const table of await listTables(client)) {
        if (INSTALLATION_TABLES.includes(table.name)) continue;
        if ((table.name === INBOX_TABLE) === is_inbox) yield { client, table, group };
      }
    }
  }
}
