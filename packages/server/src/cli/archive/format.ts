/**
 * An archive is NDJSON. It begins with this header. Each table follows with its columns, and an array
 * of texts for each row, as PostgreSQL writes each value. The last line says that the archive is
 * complete. A file whose name ends in `.gz` is compressed.
 */
export interface ArchiveHeader {
  overworld: 'installation' | 'game';
  release: string;
  /** The last migration of the schema of the rows. */
  migration: string;
  made_at: string;
  /** The number of groups of the installation, if it has several. */
  groups?: number;
  /** Present only in the archive of a game. */
  game_id?: string;
}

export interface TableLine {
  table: string;
  /** The group that the table belongs to, if the installation has several. */
  group?: number;
  columns: string[];
  partitions: { name: string; bound: string }[];
}

interface CompleteLine {
  complete: true;
  rows: number;
}

export type ArchiveRow = (string | null)[];
export type ArchiveLine = ArchiveHeader | TableLine | CompleteLine | ArchiveRow;
