import type { Operation } from '@overworld/contract/operation';
import type { TSchema } from 'typebox';
import { badRequest } from '../errors.ts';

/**
 * Makes a check that refuses parameters of the query that are sent in the body, and members of the body that
 * are sent in the query. Otherwise they would be ignored: a request with `environment` in the wrong place,
 * for example, would silently be for production.
 * @returns the check, which throws a 400 that names the parameter; undefined if the operation has no names
 * that could be in the wrong place.
 */
export function compilePlaces({
  query,
  body,
}: Pick<Operation, 'query' | 'body'>): ((query: unknown, body: unknown) => void) | undefined {
  const of_query = namesOf(query);
  const of_body = namesOf(body);
  const not_of_query = of_body.filter((name) => !of_query.includes(name));
  const not_of_body = of_body.length > 0 ? of_query.filter((name) => !of_body.includes(name)) : [];
  if (not_of_query.length + not_of_body.length === 0) return undefined;
  return (sent_query, sent_body) => {
    refuse(not_of_query, sent_query, 'belongs in the body, not in the query string');
    refuse(not_of_body, sent_body, 'belongs in the query string, not in the body');
  };
}

function refuse(names: readonly string[], sent: unknown, problem: string): void {
  if (typeof sent !== 'object' || sent === null) return;
  const name = names.find((each) => Object.hasOwn(sent, each));
  if (name !== undefined) throw badRequest(`${name} ${problem}`);
}

const namesOf = (schema: TSchema | undefined): string[] =>
  schema !== undefined && 'properties' in schema ? Object.keys(schema.properties as object) : [];
