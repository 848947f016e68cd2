import pg from 'pg';
import { restoreState } from '../../platform/database/cluster/copy-errors.ts';
import type { ArchiveRow } from '../../features/backups/archive/format.ts';

/** The driver's types lack these methods of a connection. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A COPY with its rows. PostgreSQL asks for the rows when it has parsed the statement. */
class Copy extends pg.Query {
  readonly #rows: string;

  constructor(text: string, rows: string) {
    super(text);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows));
    connection.endCopyFrom();
  }
}

/**
 * Runs a `COPY … FROM STDIN`.
 * @param rows The rows, each as a line from `encodeRow`.
 */
export function copyRows(client: pg.ClientBase, text: string, rows: string): Promise<void> {
  const copy = new Copy(text, rows);
  return new Promise((resolve, reject) => {
    (client.query as (query: Copy, onEnd: (error: Error | null) => void) => void).call(
      client,
      copy,
      (error) => {
        if (error === null) return resolve();
        restoreState(error);
        reject(error);
      },
    );
  });
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Writes a row as a line of COPY's text format. */
export function encodeRow(row: ArchiveRow): string {
  let line = '';
  for (let at = 0; at < row.length; at++) {
    if (at > 0) line += '\t';
    const value = row[at]!;
    if (value === null) line += '\\N';
    else if (/[\\\n\r\t]/.test(value)) line += value.replaceAll(/[\\\n\r\t]/g, (c) => ESCAPES[c]!);
    else line += value;
  }
  return `${line}\n`;
}
