import type pg from 'pg';
import { schemaOf } from '../../platform/database/group-directory.ts';
import { INBOX_TABLE } from '../../features/backups/archive/format.ts';
import type { ArchiveRow, TableLine } from '../../features/backups/archive/format.ts';

/**
 * The columns from which inbox ids can be read. The inbox id of an event's request is the event's id divided
 * by 128; the remainder is the event's place in the request.
 */
const ID_COLUMNS: Record<string, { column: string; ids_each: number } | undefined> = {
  event_inbox: { column: 'id', ids_each: 1 },
  event_quarantine: { column: 'inbox_id', ids_each: 1 },
  events: { column: 'id', ids_each: 128 },
};

/**
 * Finds the highest inbox id among the rows of an archive, so that new ids differ from the loaded ids.
 */
export function createInboxIds() {
  let highest = 0;
  let raised = 0;
  return {
    /** @returns a function that notes the inbox id of a row; null if the table has no inbox ids. */
    readerOf({ table, columns }: TableLine): ((row: ArchiveRow) => void) | null {
      const ids = ID_COLUMNS[table];
      if (ids === undefined) return null;
      const at = columns.indexOf(ids.column);
      if (at === -1) return null;
      return (row) => {
        const id = Math.floor(Number(row[at]) / ids.ids_each);
        if (id > highest) highest = id;
      };
    },
    /**
     * Makes the sequences of all groups continue after the highest id so far. Does nothing if this id has not
     * risen since the last call.
     */
    async raise(client: pg.ClientBase, groups: number) {
      if (highest === raised) return;
      raised = highest;
      for (let group = 0; group < groups; group++) {
        const schema = groups === 1 ? 'public' : schemaOf(group);
        await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [
          `${schema}.${INBOX_TABLE}`,
          'id',
          highest,
        ]);
      }
    },
  };
}
