import { allAnswers } from '@overworld/contract/implied-answers';
import type { Operation } from '@overworld/contract/operation';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';

const ajv = new Ajv({ strict: false, validateFormats: false });
/** Compiled schemas, shared by all servers of this process, because each takes milliseconds to compile. */
const compiled = new Map<object, ValidateFunction>();

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
      let validate = compiled.get(answer.body);
      if (validate === undefined) {
        validate = ajv.compile(closeObjects(answer.body) as object);
        compiled.set(answer.body, validate);
      }
      if (!validate(JSON.parse(JSON.stringify(body ?? null)))) {
        problem ??= new Error(
          `${name} ${status} breaks its contract: ${ajv.errorsText(validate.errors)}`,
        );
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

/** Makes a schema whose objects may have no other members than those that they name. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]),
  );
  const open = closed.additionalProperties !== undefined || closed.patternProperties !== undefined;
  return closed.type === 'object' && !open ? { ...closed, additionalProperties: false } : closed;
}
