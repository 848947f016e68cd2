/**
 * An archive is NDJSON: a header, then for each table its columns and one array of texts a row
 * (as PostgreSQL writes each value), and at last a line that says it is complete. A name that ends
 * in `.gz` is compressed.
 */
export interface ArchiveHeader {
  overworld: 'installation' | 'game';
  release: string;
  /** Last migration of the schema that the rows come from. */
  migration: string;
  made_at: string;
  /** Of a game's archive. */
  game_id?: string;
}

export interface TableLine {
  table: string;
  columns: string[];
  partitions: { name: string; bound: string }[];
}

export interface CompleteLine {
  complete: true;
  rows: number;
}

export type ArchiveRow = (string | null)[];
export type ArchiveLine = ArchiveHeader | TableLine | CompleteLine | ArchiveRow;
