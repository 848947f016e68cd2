import type { Group } from './groups.ts';
import type { Method, Operation } from './operation.ts';
import { parametersOf } from './path-parameters.ts';
import type { ParametersOf } from './path-parameters.ts';

/**
 * Declares operations under one heading of the API reference. Each operation begins with its route, such as
 * `GET /v1/games/{game_id}`. An operation must state its `params` only if `path-parameters.ts` lacks one of
 * them, or has a different schema for it.
 */
export const operationsIn =
  <const G extends Group>(group: G) =>
  <const M extends Method, const P extends string, const O extends Stated>(
    route: `${M} ${P}`,
    stated: O,
  ) => {
    const [method, path] = route.split(' ') as [M, P];
    const params = stated.params ?? parametersOf(path);
    return { ...stated, method, path, group, ...(params && { params }) } as Declared<O, M, P, G>;
  };

type Declared<O extends Stated, M, P extends string, G> = O & {
  id: string;
  method: M;
  path: P;
  group: G;
  params: O extends { params: infer Params } ? Params : ParametersOf<P>;
};

type Stated = Omit<Operation, 'id' | 'method' | 'path' | 'group'>;
