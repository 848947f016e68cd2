import type { Method, Operation } from '@overworld/contract/operation';
import type { Exchange } from './exchange.ts';

/** A method and a path, and the function that answers them. */
export interface Route {
  /** A route for `GET` also answers `HEAD`. */
  method: Method;
  /** The path, with parameters as in `/v1/players/:player_id`. A `*` at the end stands for any rest. */
  path: string;
  /** Absent for pages, such as those of the dashboard. */
  operation?: Operation;
  /** The size of the largest body that a request may have, in bytes; 1 MiB by default. */
  max_body_bytes?: number;
  /** Called before the body is read; throws to refuse the request. */
  admit?(exchange: Exchange): void | Promise<void>;
  /** Answers by `exchange.send` or `exchange.sendStream`; throws an `ApiError` to refuse the request. */
  handle(exchange: Exchange): void | Promise<void>;
}
