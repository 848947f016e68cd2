import pg from 'pg';
import type { Sql } from './sql.ts';

/** The signature, the flags and the length of the extension, at the beginning of each answer. */
const HEADER_BYTES = 19;
const END = -1;

export type CopiedRow = (Buffer | null)[];

/**
 * Reads rows whose values arrive in PostgreSQL's binary form. The driver makes texts of all other values, and
 * PostgreSQL then writes two letters for each byte of a `bytea`.
 * @param statement Its parameters are texts and lists of texts.
 */
export async function copyOut(
  client: pg.PoolClient,
  statement: Sql,
  onRow: (row: CopiedRow) => void,
): Promise<void> {
  const copy = new CopyOut(statement, onRow);
  client.query(copy);
  await copy.ended;
}

class CopyOut implements pg.Submittable {
  readonly #text: string;
  readonly #onRow: (row: CopiedRow) => void;
  readonly #ended = Promise.withResolvers<void>();
  #error: Error | null = null;
  #is_first = true;

  constructor(statement: Sql, onRow: (row: CopiedRow) => void) {
    this.#text = `COPY (${withLiterals(statement)}) TO STDOUT (FORMAT binary)`;
    this.#onRow = onRow;
  }

  /** Resolves when the connection is free again. @throws the error of PostgreSQL. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#error !== null) return;
    try {
      // The driver uses its memory again.
      const bytes = Buffer.from(this.#is_first ? chunk.subarray(HEADER_BYTES) : chunk);
      this.#is_first = false;
      for (let at = 0; at < bytes.length;) at = this.#readRow(bytes, at);
    } catch (error) {
      this.#error = error as Error;
    }
  }

  /** @returns the place behind the row. PostgreSQL sends each row in one piece. */
  #readRow(bytes: Buffer, from: number): number {
    const count = bytes.readInt16BE(from);
    let at = from + 2;
    if (count === END) return at;
    const values: CopiedRow = [];
    for (let field = 0; field < count; field++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length === -1) {
        values.push(null);
        continue;
      }
      if (at + length > bytes.length) throw new RangeError('A row has arrived in pieces');
      values.push(bytes.subarray(at, at + length));
      at += length;
    }
    this.#onRow(values);
    return at;
  }

  handleCommandComplete(): void {
    // `handleReadyForQuery` follows.
  }

  handleReadyForQuery(): void {
    if (this.#error === null) this.#ended.resolve();
    else this.#ended.reject(this.#error);
  }

  handleError(error: Error): void {
    this.#ended.reject(error);
  }
}

/** Writes the parameters of a statement into its text, because COPY takes none. */
function withLiterals({ text, values }: Sql): string {
  return text.replaceAll(/\$(\d+)/g, (_, number) => toLiteral(values[Number(number) - 1]));
}

function toLiteral(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return pg.escapeLiteral(value);
  if (Array.isArray(value)) return `ARRAY[${value.map(toLiteral).join(', ')}]`;
  throw new TypeError('Only texts and lists of texts are written into statements');
}
