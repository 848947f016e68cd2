import { readTimestamp } from '../../../platform/database/sql.ts';
import type { EventFile, ExportedEvent } from '../../../platform/event-files/event-file.ts';

/**
 * Makes a file with a line of JSON for each event, as the API
 * writes it. Numbers in properties keep the digits that were sent.
 */
export function createNdjsonFile(): EventFile {
  const encoder = new TextEncoder();
  return {
    add: (events) => encoder.encode(events.map(writeLine).join('')),
    end: () => null,
  };
}

function writeLine(event: ExportedEvent): string {
  const { id, event_name, session_id, player_id, client_timestamp } = event;
  const head = JSON.stringify({ id, event_name, session_id, player_id });
  const tail = JSON.stringify({
    client_timestamp: client_timestamp && readTimestamp(client_timestamp),
    occurred_at: readTimestamp(event.occurred_at),
    received_at: readTimestamp(event.received_at),
  });
  return `${head.slice(0, -1)},"properties":${event.properties},${tail.slice(1)}\n`;
}
