import { allAnswers } from '@overworld/contract/implied-answers';
import type { Operation } from '@overworld/contract/operation';
import { Check, Errors } from 'typebox/schema';

/**
 * For each schema that has been used, the same schema without the permission for further members in objects.
 * All servers of this process share the map.
 */
const closed_schemas = new WeakMap<object, object>();

/**
 * Checks real answers against the contract: the operation must state the status, and the body must match
 * its schema and have no other members.
 */
export function createAnswerChecker(): {
  check: (operation: Operation, status: number, body: unknown) => void;
  throwFirstProblem: () => void;
} {
  let problem: Error | undefined;

  return {
    check(operation, status, body) {
      const answer = allAnswers(operation)[status];
      const name = `${operation.method} ${operation.path}`;
      if (answer === undefined) {
        problem ??= new Error(`${name} answered ${status}, which its contract lacks`);
        return;
      }
      if (answer.body === undefined) {
        if (body !== undefined) problem ??= new Error(`${name} ${status} has a body`);
        return;
      }
      const mismatch = findMismatch(answer.body, JSON.parse(JSON.stringify(body ?? null)));
      if (mismatch !== null) {
        problem ??= new Error(`${name} ${status} breaks its contract: ${mismatch}`);
      }
    },
    throwFirstProblem() {
      if (problem === undefined) return;
      const thrown = problem;
      problem = undefined;
      throw thrown;
    },
  };
}

/**
 * Returns the first reason why a value does not match a schema, or null if it matches. Members that the
 * schema does not name are not allowed.
 */
export function findMismatch(schema: object, value: unknown): string | null {
  let closed = closed_schemas.get(schema);
  if (closed === undefined) {
    closed = closeObjects(schema) as object;
    closed_schemas.set(schema, closed);
  }
  if (Check(closed, value)) return null;
  const [, [first]] = Errors(closed, value);
  return `${first?.instancePath} ${first?.message}`;
}

/** Makes a copy of a schema in which objects may have only the members that the schema names. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]),
  );
  const open = closed.additionalProperties !== undefined || closed.patternProperties !== undefined;
  return closed.type === 'object' && !open ? { ...closed, additionalProperties: false } : closed;
}
