import type { Readable } from 'node:stream';
import type { WriteFailure } from './exchange.ts';

/** A file. Its media type is one of the operation's `media_types`. */
export class Download {
  /** Such as `text/csv; charset=utf-8`. */
  readonly content_type: string;
  /** The name under which a browser saves the file, made of letters, digits, `-`, `_` and `.`. */
  readonly file_name: string;
  readonly content: string | Readable;
  readonly writeFailure: WriteFailure | null;

  constructor(
    content_type: string,
    file_name: string,
    content: string | Readable,
    writeFailure: WriteFailure | null = null,
  ) {
    this.content_type = content_type;
    this.file_name = file_name;
    this.content = content;
    this.writeFailure = writeFailure;
  }
}
