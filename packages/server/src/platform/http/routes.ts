import type { Method, Operation } from '@overworld/contract/operation';
import type { Exchange } from './exchange.ts';

/** A method and a path, and the function that answers them. */
export interface Route {
  /** `GET` answers `HEAD` too. */
  method: Method;
  /** With parameters as in `/v1/players/:player_id`; a `*` at its end stands for any rest. */
  path: string;
  /** Absent for pages, such as those of the dashboard. */
  operation?: Operation;
  /** Largest body of a request, in bytes; 1 MiB by default. */
  max_body_bytes?: number;
  /** Runs before the body is read; throws to refuse. */
  admit?(exchange: Exchange): void | Promise<void>;
  /** Answers by `exchange.send` or `exchange.sendStream`; throws an `ApiError` to refuse. */
  handle(exchange: Exchange): void | Promise<void>;
}
