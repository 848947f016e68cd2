import assert from 'node:assert/strict';
import type { Operation } from '@overworld/contract/operation';

/** An id that no object has. */
export const UNUSED_ID = '00000000-0000-4000-8000-000000000000';

/** Makes a valid request body from the operation's example. */
export function sampleBody(operation: Operation): Record<string, unknown> {
  const { example } = operation;
  assert.ok(
    typeof example === 'object' && example !== null,
    `${operation.method} ${operation.path} needs an example`,
  );
  return structuredClone(Array.isArray(example) ? example[0] : example) as Record<string, unknown>;
}

/**
 * Makes the path of a request, with the query parameters that the operation requires. If `params` lacks a
 * path parameter, the parameter gets the first value that its schema allows. If the schema allows any value,
 * the parameter gets an id that no object has.
 */
export function samplePath(
  operation: Operation,
  params: Record<string, string>,
  query = '',
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    if (params[name] !== undefined) return params[name];
    if (name === 'version' || name === 'season') return '1';
    const { enum: choices } = (operation.params?.properties[name] ?? {}) as { enum?: string[] };
    if (choices !== undefined) return choices[0]!;
    return name.endsWith('_id') && name !== 'player_id' ? UNUSED_ID : 'nobody';
  });
  const required = Object.entries(operation.query?.properties ?? {})
    .filter(([name, schema]) => needsValue(operation, name, schema))
    .map(([name]) => `${name}=nobody`);
  const all = [...required, query].filter((part) => part !== '').join('&');
  return all === '' ? path : `${path}?${all}`;
}

const needsValue = (operation: Operation, name: string, schema: object) =>
  (operation.query as { required?: string[] } | undefined)?.required?.includes(name) === true &&
  !('default' in schema);
