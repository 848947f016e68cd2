import { writeCsvLine } from '@overworld/contract/csv';
import { readTimestamp } from '../../../platform/database/sql.ts';
import type { EventFile, ExportedEvent } from '../../../platform/event-files/event-file.ts';

const COLUMNS = [
  'id',
  'event_name',
  'session_id',
  'player_id',
  'properties',
  'client_timestamp',
  'occurred_at',
  'received_at',
] as const satisfies (keyof ExportedEvent)[];

/** Makes a CSV file with the members of an event as columns, and properties as JSON text. */
export function createCsvFile(): EventFile {
  const encoder = new TextEncoder();
  let head = writeCsvLine(COLUMNS);
  /** Returns the bytes of the lines, after the names of the columns if these are not written yet. */
  const take = (lines: string) => {
    const bytes = encoder.encode(head + lines);
    head = '';
    return bytes;
  };
  return {
    add: (events) => take(events.map(writeLine).join('')),
    end: () => (head === '' ? null : take('')),
  };
}

const writeLine = ({ client_timestamp, ...event }: ExportedEvent): string =>
  writeCsvLine([
    event.id,
    event.event_name,
    event.session_id,
    event.player_id,
    event.properties,
    client_timestamp && readTimestamp(client_timestamp),
    readTimestamp(event.occurred_at),
    readTimestamp(event.received_at),
  ]);
