import type { Random } from '../random.ts';

/** A request before it is sent, for mutations to change. */
export interface Draft {
  method: string;
  /** Percent-encoded, without the query. */
  path: string;
  query: [string, string][];
  headers: [string, string][];
  /** The body: a value to write as JSON, or the bytes themselves. */
  body: { value: unknown } | { bytes: Buffer } | null;
}

export type Mutation = (draft: Draft, random: Random) => void;

const bytesOf = (body: NonNullable<Draft['body']>): Buffer =>
  'bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.value) ?? 'null');

/** Writes the body as bytes. */
export const writeBody = ({ body }: Draft): Buffer | null => body && bytesOf(body);

export const setHeader = (draft: Draft, name: string, value: string): void => {
  draft.headers = [...draft.headers.filter(([known]) => known !== name), [name, value]];
};
