import { MAX_EVENT_SCHEMA_BYTES, MAX_EVENT_SCHEMA_DEPTH } from '@overworld/contract/event-schemas';
import { MAX_VIOLATIONS } from '@overworld/contract/events';
import { badRequest } from '../../platform/errors.ts';
import { describeType } from '../../platform/http/validation.ts';

/** What is wrong with a value: where, and in words that name the place. */
export interface SchemaProblem {
  path: string;
  message: string;
}

/** Adds to `problems` what is wrong with the value that stands at `path`. */
export type Check = (value: unknown, path: string, problems: SchemaProblem[]) => void;

type Keyword = (operand: unknown, place: Place) => Check;

/** Where in the schema document a keyword or schema stands. */
interface Place {
  path: string;
  /** Schemas around this one, and itself. */
  depth: number;
  /** The schema that a keyword belongs to: `additionalProperties` looks at `properties`. */
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
 * Compiles a schema of the safe subset of JSON Schema: no patterns, no references. A check takes
 * time in proportion to the value, whatever the schema: it ends at 100 problems, and nothing in it
 * walks the schema for a value that satisfies it.
 * @throws ApiError 400 naming the place that is not in the subset, or when it is too large or deep.
 */
export function compileEventSchema(schema: unknown): Check {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_EVENT_SCHEMA_BYTES) {
    throw badRequest(`schema must have at most ${MAX_EVENT_SCHEMA_BYTES} bytes`);
  }
  return compileSchema(schema, 'schema', 1);
}

function compileSchema(schema: unknown, path: string, depth: number): Check {
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

function compileType(operand: unknown, { path }: Place): Check {
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

function compileEnum(operand: unknown, { path }: Place): Check {
  if (!Array.isArray(operand) || operand.length === 0) {
    throw badRequest(`${path} must be a list of at least one value`);
  }
  const choices = new Set(operand.map(writeCanonical));
  const shown = operand.slice(0, MAX_SHOWN_CHOICES).map((choice) => JSON.stringify(choice));
  if (operand.length > MAX_SHOWN_CHOICES) shown.push('…');
  const message = `must be one of ${shown.join(', ')}`;
  return (value, at, problems) => {
    if (!choices.has(writeCanonical(value))) report(problems, at, message);
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

/** Characters rather than UTF-16 units. */
const countCharacters = (text: string) => [...text].length;

function compileRequired(operand: unknown, { path }: Place): Check {
  if (!Array.isArray(operand) || !operand.every((name) => typeof name === 'string')) {
    throw badRequest(`${path} must be a list of strings`);
  }
  const names: string[] = operand;
  return (value, at, problems) => {
    if (!isObject(value)) return;
    for (const name of names) {
      if (!Object.hasOwn(value, name)) report(problems, `${at}.${name}`, 'is required');
    }
  };
}

function compileProperties(operand: unknown, { path, depth }: Place): Check {
  if (!isObject(operand)) throw badRequest(`${path} must be a JSON object`);
  const checks = new Map<string, Check>();
  for (const [name, schema] of Object.entries(operand)) {
    checks.set(name, compileSchema(schema, `${path}.${name}`, depth + 1));
  }
  return (value, at, problems) => {
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      checks.get(name)?.(member, `${at}.${name}`, problems);
    }
  };
}

function compileAdditionalProperties(operand: unknown, { path, depth, siblings }: Place): Check {
  const named = isObject(siblings.properties) ? siblings.properties : {};
  if (operand === true) return () => undefined;
  const check: Check =
    operand === false
      ? (_value, at, problems) => report(problems, at, 'is not allowed')
      : compileSchema(operand, path, depth + 1);
  return (value, at, problems) => {
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Object.hasOwn(named, name)) check(member, `${at}.${name}`, problems);
    }
  };
}

function compileItems(operand: unknown, { path, depth }: Place): Check {
  const check = compileSchema(operand, path, depth + 1);
  return (value, at, problems) => {
    if (!Array.isArray(value)) return;
    value.forEach((item, index) => check(item, `${at}[${index}]`, problems));
  };
}

function report(problems: SchemaProblem[], path: string, message: string): void {
  if (problems.length < MAX_VIOLATIONS) problems.push({ path, message: `${path} ${message}` });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same text for values that are equal as JSON: whatever the order of members, and 0 for -0. */
function writeCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writeCanonical(value[name])}`);
  return `{${members.join(',')}}`;
}
