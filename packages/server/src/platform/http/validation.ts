import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { canonicalLocale, findLocaleProblem, LOCALE_RULE } from '@overworld/contract/locales';
import { findNameProblem } from '@overworld/contract/names';
import type { TObject, TSchema } from 'typebox';
import { badRequest } from '../errors.ts';
import { TIME_FORM } from '../iso-time.ts';
import { findStringProblem, shorten } from '../json/json-text.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DECIMAL = /^-?\d+(\.\d+)?$/;

const makeAjv = (coerceTypes: boolean) =>
  new Ajv({
    coerceTypes,
    useDefaults: true,
    strict: false,
    validateFormats: true,
    // Errors have the value that they are about.
    verbose: true,
    // A test checks the schemas themselves. Here, checking them would take 10 ms of each start, 0.1 s of
    // the first request, and 6 MB.
    meta: false,
    validateSchema: false,
    formats: {
      uuid: UUID,
      'date-time': TIME_FORM,
      date: /^\d{4}-\d\d-\d\d$/,
      name: (text) => findNameProblem(text) === null,
      locale: (text) => canonicalLocale(text) !== null,
      'canonical-locale': (text) => findLocaleProblem(text) === null,
    },
  });

/** Bodies are strict: the text `"12"` is not a number. */
const strictAjv = makeAjv(false);
/** Query strings hold text, which is converted to the type of the schema. */
const coercingAjv = makeAjv(true);

export const isUuid = (text: string): boolean => UUID.test(text);

/** Checks a value and fills in defaults; throws a 400 that names the first wrong field. */
export type Validate = (value: unknown) => void;

/**
 * Returns a function that makes a value at its first call, and returns the same value at later calls. Each
 * schema is compiled at its first request, because compiling all of them would add 0.1 s to each start.
 */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * Makes the check of a request body; `subject` names the whole value in messages. Members that the schema
 * lacks are ignored, and do not count if the schema requires at least one member.
 */
export function compileBody(schema: TSchema, subject = 'The request body'): Validate {
  const optional = onFirstUse(() => optionalNames(schema));
  const checkOf = onFirstUse(() => strictAjv.compile(schema));
  return (value) => {
    dropNulls(value, optional());
    const check = checkOf();
    if (!check(value)) throw badRequest(describe(check, subject));
    if ('minProperties' in schema && 'properties' in schema) {
      requireKnownMember(Object.keys(schema.properties as object), value as object);
    }
  };
}

function requireKnownMember(known: readonly string[], value: object): void {
  if (known.some((name) => Object.hasOwn(value, name))) return;
  const [unknown] = Object.keys(value);
  throw badRequest(`${shorten(unknown!)} is unknown: one of ${known.join(', ')} is required`);
}

/**
 * Makes the check of a query string or of path parameters, whose values are text. For a list, the parameter
 * is repeated.
 */
export function compileText(schema: TObject, subject: string): Validate {
  const checkOf = onFirstUse(() => coercingAjv.compile(schema));
  const namesOf = (...types: unknown[]) =>
    Object.entries(schema.properties)
      .filter(([, member]) => 'type' in member && types.includes(member.type))
      .map(([name]) => name);
  const lists = namesOf('array');
  const numbers = namesOf('integer', 'number');
  const checkText = (name: string, text: string) => {
    const problem = findStringProblem(text);
    if (problem !== null) throw badRequest(`${name} ${problem}`);
    // Ajv reads `0x10` and ` 7 ` as numbers, too.
    if (numbers.includes(name) && !DECIMAL.test(text)) {
      throw badRequest(`${name} must be a number`);
    }
  };
  return (value) => {
    const members = value as Record<string, string | string[]>;
    for (const name in members) {
      const given = members[name]!;
      if (typeof given === 'string') checkText(name, given);
      else if (!lists.includes(name)) throw badRequest(`${name} must be given once`);
      else for (const text of given) checkText(name, text);
    }
    for (const name of lists) {
      if (typeof members[name] === 'string') members[name] = [members[name]];
    }
    const check = checkOf();
    if (!check(value)) throw badRequest(describe(check, subject));
  };
}

/** Lists the optional members whose schema does not allow null. In such a member, null counts as absent. */
function optionalNames(schema: TSchema): string[] {
  if (!('properties' in schema)) return [];
  const { properties } = schema as TObject;
  const required = (schema as { required?: string[] }).required ?? [];
  return Object.entries(properties)
    .filter(([name, member]) => !required.includes(name) && !strictAjv.validate(member, null))
    .map(([name]) => name);
}

function dropNulls(value: unknown, names: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const name of names) {
    if (members[name] === null) delete members[name];
  }
}

function describe(check: ValidateFunction, subject: string): string {
  return describeError(check.errors?.[0], subject);
}

/** Puts a JSON Schema error into words that name the field, such as `score must be a number`. */
function describeError(error: ErrorObject | undefined, subject: string): string {
  if (error === undefined) return `${subject} is not valid`;
  const path = shorten(fieldPath(error.instancePath));
  const name = path || subject;
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return `${join(path, params.missingProperty)} is required`;
    case 'type':
      return `${name} must be ${describeType(params.type)}`;
    case 'enum':
      return `${name} must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'const':
      return `${name} must be ${JSON.stringify(params.allowedValue)}`;
    case 'minLength':
      return params.limit === 1
        ? `${name} must not be empty`
        : `${name} must have at least ${params.limit} characters`;
    case 'maxLength':
      return `${name} must have at most ${params.limit} characters`;
    case 'minimum':
      return `${name} must be at least ${params.limit}`;
    case 'maximum':
      return `${name} must be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `${name} must be more than ${params.limit}`;
    case 'exclusiveMaximum':
      return `${name} must be less than ${params.limit}`;
    case 'minItems':
      return `${name} must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`;
    case 'maxItems':
      return `${name} must have at most ${params.limit} entries`;
    case 'maxProperties':
      return `${name} must have at most ${params.limit} members`;
    case 'minProperties':
      return `${name} must not be empty`;
    case 'additionalProperties':
      return `${join(path, params.additionalProperty)} is not allowed`;
    case 'format':
      if (params.format === 'name') return `${name} ${findNameProblem(error.data as string)}`;
      if (params.format === 'locale') return `${name} ${LOCALE_RULE}`;
      if (params.format === 'canonical-locale') {
        const tag = error.data as string;
        return `${join(path, shorten(tag))} ${findLocaleProblem(tag)}`;
      }
      return `${name} must be a valid ${FORMAT_NAMES[params.format as string] ?? params.format}`;
    default:
      return `${name} is not valid`;
  }
}

const FORMAT_NAMES: Record<string, string> = {
  'date-time': 'ISO 8601 time',
};

/** Describes JSON Schema types in words, such as `a number or null`. */
export function describeType(type: string | string[]): string {
  const words: Record<string, string> = {
    object: 'a JSON object',
    array: 'a list',
    integer: 'a whole number',
    number: 'a number',
    string: 'a string',
    boolean: 'true or false',
    null: 'null',
  };
  return [type]
    .flat()
    .map((name) => words[name] ?? name)
    .join(' or ');
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Writes the pointer `/rules/0/name`, for example, as `rules[0].name`. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}
