import type { BenchGame, BenchServer } from './bench-server.ts';
import type { RequestShape } from './request-shape.ts';
import type { Statement } from './statements.ts';

/** A line of the table of results: a kind of request, and the preparation that the request needs. */
export interface Line {
  name: string;
  /** The number of units, such as events, in a request. The rate in the table is in units per second. */
  units_per_request?: number;
  /** Seeds each of the games with the data that the requests need. */
  prepare: (server: BenchServer, games: readonly BenchGame[]) => Promise<Prepared>;
  /** Waits until the server has processed the events of this line. The next line begins after that. */
  waitForInbox?: (server: BenchServer) => Promise<void>;
  /** Text below the table that says how to read the line. */
  note?: string;
}

export interface Prepared {
  shape: RequestShape;
  /** The size of a typical answer. */
  answer_bytes: number;
  /** The SQL statement for a batch of requests, and the name of the batcher that makes the batches. */
  statement?: Statement;
  batcher?: string;
}
