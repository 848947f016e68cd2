/** An event as it goes into a file. */
export interface ExportedEvent {
  /** The times are texts as PostgreSQL writes them, with microseconds. */
  received_at: string;
  id: number;
  event_name: string;
  session_id: string;
  player_id: string | null;
  /** JSON text exactly as PostgreSQL stores it. */
  properties: string;
  client_timestamp: string | null;
  occurred_at: string;
}

/** A writer that turns pages of events into the bytes of a file. */
export interface EventFile {
  /** Adds events. @returns the bytes that are ready; null if more events are needed for the next bytes. */
  add(events: readonly ExportedEvent[]): Uint8Array | null;
  /** Ends the file. @returns the last bytes; null if there are none. */
  end(): Uint8Array | null;
}
