/**
 * The first line of an archive, which is NDJSON. For each table, a line with its columns follows, and then an
 * array for each row. The array has each value as a text in PostgreSQL's notation. The last line says that
 * the archive is complete. A file whose name ends in `.gz` is compressed.
 */
export interface ArchiveHeader {
  overworld: 'installation' | 'game';
  release: string;
  /** The newest migration of the database from which the rows come. */
  migration: string;
  made_at: string;
  /** The number of tenant groups into which the installation divides its games, if it has several. */
  groups?: number;
  /** Present only in the archive of a game. */
  game_id?: string;
}

export interface TableLine {
  table: string;
  /** The tenant group that the table belongs to, if the installation has several. */
  group?: number;
  columns: string[];
  partitions: { name: string }[];
}

interface CompleteLine {
  complete: true;
  rows: number;
}

export type ArchiveRow = (string | null)[];
export type ArchiveLine = ArchiveHeader | TableLine | CompleteLine | ArchiveRow;

/** This table has one sequence of ids in each group, so rows of two groups may have the same id. */
export const INBOX_TABLE = 'event_inbox';
