import { MAX_EVENT_SCHEMA_BYTES, MAX_EVENT_SCHEMA_DEPTH } from '@overworld/contract/events/schemas';
import { MAX_VIOLATIONS } from '@overworld/contract/events/track';
import { badRequest } from '../../../platform/errors.ts';
import { isHighSurrogate, isLowSurrogate } from '../../../platform/json/json-scan.ts';
import { shorten } from '../../../platform/json/json-text.ts';
import { writeCanonical } from './canonical-json.ts';
import { describeType } from '../../../platform/http/validation.ts';

/** A problem of a value: its place, and a message that names the place. */
export interface SchemaProblem {
  path: string;
  message: string;
}

/**
 * The number of stored events that are checked before other requests get their turn. Each may have 32 KB of
 * properties.
 */
export const CHECKED_AT_ONCE = 20;

/** A function that adds the problems of the value at `path` to `problems`. */
export type Check = (value: unknown, path: string, problems: SchemaProblem[]) => void;

/**
 * The path to a value, as a list of steps. The steps are joined only for a problem, because joining them for
 * every value would cost more than all checks.
 */
type Steps = (string | number)[];
type Rule = (value: unknown, at: Steps, problems: SchemaProblem[]) => void;
type Keyword = (operand: unknown, place: Place) => Rule;

/** The place of a keyword or schema in the schema document. */
interface Place {
  path: string;
  /** Number of nested schemas down to this one. */
  depth: number;
  /** The schema that the keyword is in. `additionalProperties` needs it to find `properties`. */
  siblings: Record<string, unknown>;
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: (value) => isObject(value),
};

const KEYWORDS: Record<string, Keyword> = {
  type: compileType,
  enum: compileEnum,
  minimum: compileBound((value, bound) => value >= bound, 'must be at least'),
  maximum: compileBound((value, bound) => value <= bound, 'must be at most'),
  minLength: compileLength((length, bound) => length >= bound, 'must have at least'),
  maxLength: compileLength((length, bound) => length <= bound, 'must have at most'),
  required: compileRequired,
  properties: compileProperties,
  additionalProperties: compileAdditionalProperties,
  items: compileItems,
};

/**
 * Compiles a schema of a safe subset of JSON Schema, without patterns and references. The time of a check
 * grows with the size of the value, and hardly with that of the schema: at most 100 problems are reported,
 * and when the value is valid, no keyword walks through the schema.
 * @throws ApiError 400 naming the place that is not in the subset, or when the schema is too large or too
 * deep.
 */
export function compileEventSchema(schema: unknown): Check {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_EVENT_SCHEMA_BYTES) {
    throw badRequest(`schema must have at most ${MAX_EVENT_SCHEMA_BYTES} bytes`);
  }
  const rule = compileSchema(schema, 'schema', 1);
  return (value, path, problems) => rule(value, [path], problems);
}

function compileSchema(schema: unknown, path: string, depth: number): Rule {
  if (!isObject(schema)) throw badRequest(`${path} must be a JSON object`);
  if (depth > MAX_EVENT_SCHEMA_DEPTH) {
    throw badRequest(`${path} is deeper than ${MAX_EVENT_SCHEMA_DEPTH} schemas`);
  }
  const checks = Object.entries(schema).map(([name, operand]) => {
    const compile = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name]! : undefined;
    const keyword_path = `${path}.${name}`;
    if (compile === undefined) throw badRequest(`${keyword_path} is not supported`);
    return compile(operand, { path: keyword_path, depth, siblings: schema });
  });
  return (value, at, problems) => {
    if (problems.length >= MAX_VIOLATIONS) return;
    for (const check of checks) check(value, at, problems);
  };
}

function compileType(operand: unknown, { path }: Place): Rule {
  const names = Array.isArray(operand) ? operand : [operand];
  if (names.length === 0 || !names.every(isTypeName)) {
    throw badRequest(`${path} must be one or several of ${Object.keys(TYPES).join(', ')}`);
  }
  const tests = names.map((name: string) => TYPES[name]!);
  const message = `must be ${describeType(names)}`;
  return (value, at, problems) => {
    if (!tests.some((isType) => isType(value))) report(problems, at, message);
  };
}

const isTypeName = (name: unknown) => typeof name === 'string' && Object.hasOwn(TYPES, name);

const MAX_SHOWN_CHOICES = 10;

function compileEnum(operand: unknown, { path }: Place): Rule {
  if (!Array.isArray(operand) || operand.length === 0) {
    throw badRequest(`${path} must be a list of at least one value`);
  }
  const texts = operand.map((choice) => writeCanonical(choice, Infinity)!);
  const choices = new Set(texts);
  const longest = Math.max(...texts.map((text) => text.length));
  const shown = operand.slice(0, MAX_SHOWN_CHOICES).map((choice) => JSON.stringify(choice));
  if (operand.length > MAX_SHOWN_CHOICES) shown.push('…');
  const message = `must be one of ${shown.join(', ')}`;
  return (value, at, problems) => {
    const text = writeCanonical(value, longest);
    if (text === null || !choices.has(text)) report(problems, at, message);
  };
}

function compileBound(holds: (value: number, bound: number) => boolean, words: string): Keyword {
  return (operand, { path }) => {
    if (typeof operand !== 'number') throw badRequest(`${path} must be a number`);
    return (value, at, problems) => {
      if (typeof value === 'number' && !holds(value, operand)) {
        report(problems, at, `${words} ${operand}`);
      }
    };
  };
}

function compileLength(holds: (length: number, bound: number) => boolean, words: string): Keyword {
  return (operand, { path }) => {
    if (typeof operand !== 'number' || !Number.isInteger(operand) || operand < 0) {
      throw badRequest(`${path} must be a whole number of at least 0`);
    }
    return (value, at, problems) => {
      if (typeof value === 'string' && !holds(countCharacters(value), operand)) {
        report(problems, at, `${words} ${operand} characters`);
      }
    };
  };
}

/** Counts characters, not UTF-16 units. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))) {
      count--;
    }
  }
  return count;
}

function compileRequired(operand: unknown, { path }: Place): Rule {
  if (!Array.isArray(operand) || !operand.every((name) => typeof name === 'string')) {
    throw badRequest(`${path} must be a list of strings`);
  }
  const names: string[] = operand;
  return (value, at, problems) => {
    if (!isObject(value)) return;
    for (const name of names) {
      if (!Object.hasOwn(value, name)) report(problems, [...at, name], 'is required');
    }
  };
}

function compileProperties(operand: unknown, { path, depth }: Place): Rule {
  if (!isObject(operand)) throw badRequest(`${path} must be a JSON object`);
  const rules = new Map<string, Rule>();
  for (const [name, schema] of Object.entries(operand)) {
    rules.set(name, compileSchema(schema, `${path}.${name}`, depth + 1));
  }
  return (value, at, problems) => {
    if (!isObject(value)) return;
    for (const name in value) {
      const rule = rules.get(name);
      if (rule !== undefined) follow(rule, value[name], name, at, problems);
    }
  };
}

function compileAdditionalProperties(operand: unknown, { path, depth, siblings }: Place): Rule {
  const named = isObject(siblings.properties) ? siblings.properties : {};
  if (operand === true) return () => undefined;
  const rule: Rule =
    operand === false
      ? (_value, at, problems) => report(problems, at, 'is not allowed')
      : compileSchema(operand, path, depth + 1);
  return (value, at, problems) => {
    if (!isObject(value)) return;
    for (const name in value) {
      if (!Object.hasOwn(named, name)) follow(rule, value[name], name, at, problems);
    }
  };
}

function compileItems(operand: unknown, { path, depth }: Place): Rule {
  const rule = compileSchema(operand, path, depth + 1);
  return (value, at, problems) => {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) {
      follow(rule, value[index], index, at, problems);
    }
  };
}

function follow(
  rule: Rule,
  value: unknown,
  step: string | number,
  at: Steps,
  problems: SchemaProblem[],
): void {
  at.push(step);
  rule(value, at, problems);
  at.pop();
}

function report(problems: SchemaProblem[], at: Steps, message: string): void {
  if (problems.length >= MAX_VIOLATIONS) return;
  const path = shorten(
    at
      .reduce<string>(
        (before, step) => (typeof step === 'number' ? `${before}[${step}]` : `${before}.${step}`),
        '',
      )
      .slice(1),
  );
  problems.push({ path, message: `${path} ${message}` });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
