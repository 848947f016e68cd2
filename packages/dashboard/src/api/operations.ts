// Only types are imported, so that the contract's schemas and their validator stay out of the browser.
import type {
  BodyOf,
  HeadersOf,
  ParamsOf,
  QueryOf,
  SuccessOf,
} from '@overworld/contract/operation';
import type { AnyOperation } from '@overworld/contract/operations';

/** The contract's operations by method and path, such as `GET /v1/games/{game_id}`. */
export type Operations = {
  [O in AnyOperation as `${O['method']} ${O['path']}`]: O;
};

export type Route = keyof Operations & string;
/** Routes that read. */
export type ReadRoute = Extract<Route, `GET ${string}`>;

/** Lists that are read page by page. */
export type PagedRoute = {
  [R in ReadRoute]: Answer<R> extends { next_cursor: string | null } ? R : never;
}[ReadRoute];

type Part<Name extends string, Value> = undefined extends Value ? unknown : { [N in Name]: Value };

type OptionalPart<Name extends string, Value> = undefined extends Value
  ? unknown
  : { [N in Name]?: Partial<Value> };

/** The input of a call: path parameters, query, headers and body, as the operation states them. */
export type Input<R extends Route> = Part<'params', ParamsOf<Operations[R]>> &
  Part<'body', BodyOf<Operations[R]>> &
  OptionalPart<'query', QueryOf<Operations[R]>> &
  OptionalPart<'headers', HeadersOf<Operations[R]>>;

export type Answer<R extends Route> = SuccessOf<Operations[R]>;
