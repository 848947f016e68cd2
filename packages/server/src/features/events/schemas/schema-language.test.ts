import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { compileEventSchema } from './schema-language.ts';
import type { SchemaProblem } from './schema-language.ts';

function check(schema: unknown, value: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  compileEventSchema(schema)(value, 'properties', problems);
  return problems;
}

const messages = (schema: unknown, value: unknown) =>
  check(schema, value).map(({ message }) => message);

test('each problem of a value names the place of the invalid part', () => {
  const schema = {
    type: 'object',
    required: ['item', 'price', '__proto__'],
    properties: {
      item: { type: 'string', minLength: 2, maxLength: 3 },
      price: { type: ['number', 'null'], minimum: 0, maximum: 10 },
      tags: { type: 'array', items: { enum: ['a', 1, { x: [1] }] } },
    },
    additionalProperties: false,
  };
  assert.deepEqual(check(schema, { item: 'x', tags: ['a', 'b', { x: [1] }, { x: [2] }] }), [
    { path: 'properties.price', message: 'properties.price is required' },
    { path: 'properties.__proto__', message: 'properties.__proto__ is required' },
    { path: 'properties.item', message: 'properties.item must have at least 2 characters' },
    { path: 'properties.tags[1]', message: 'properties.tags[1] must be one of "a", 1, {"x":[1]}' },
    { path: 'properties.tags[3]', message: 'properties.tags[3] must be one of "a", 1, {"x":[1]}' },
  ]);
  assert.deepEqual(messages(schema, JSON.parse('{"item":"🦊🦊🦊","price":11,"__proto__":1}')), [
    'properties.price must be at most 10',
    'properties.__proto__ is not allowed',
  ]);
  assert.deepEqual(messages(schema, []), ['properties must be a JSON object']);
  assert.deepEqual(messages({ properties: { a: { type: ['integer', 'null'] } } }, { a: 1.5 }), [
    'properties.a must be a whole number or null',
  ]);
});

test('a schema that is invalid or has an unsupported keyword is refused with the place of the problem', () => {
  for (const [schema, message] of [
    [{ $ref: '#' }, 'schema.$ref is not supported'],
    [{ pattern: 'a' }, 'schema.pattern is not supported'],
    [{ properties: { a: { format: 'date' } } }, 'schema.properties.a.format is not supported'],
    [{ items: { allOf: [] } }, 'schema.items.allOf is not supported'],
    [{ constructor: {} }, 'schema.constructor is not supported'],
    [JSON.parse('{"__proto__":{}}'), 'schema.__proto__ is not supported'],
    [{ additionalProperties: { $id: 'x' } }, 'schema.additionalProperties.$id is not supported'],
    [
      { type: 'text' },
      'schema.type must be one or several of null, boolean, number, integer, string, array, object',
    ],
    [
      { type: 'constructor' },
      'schema.type must be one or several of null, boolean, number, integer, string, array, object',
    ],
    [{ required: 'a' }, 'schema.required must be a list of strings'],
    [{ enum: [] }, 'schema.enum must be a list of at least one value'],
    [{ minimum: '1' }, 'schema.minimum must be a number'],
    [{ maxLength: -1 }, 'schema.maxLength must be a whole number of at least 0'],
    [{ minLength: 1.5 }, 'schema.minLength must be a whole number of at least 0'],
    [{ properties: [] }, 'schema.properties must be a JSON object'],
    [{ properties: { a: true } }, 'schema.properties.a must be a JSON object'],
    [{ items: [{}] }, 'schema.items must be a JSON object'],
    [[], 'schema must be a JSON object'],
    [{ enum: ['x'.repeat(17_000)] }, 'schema must have at most 16384 bytes'],
  ] as const) {
    assert.throws(() => compileEventSchema(schema), { status: 400, body: { error: message } });
  }
});

test('names that every JavaScript object inherits, such as toString, work as property names', () => {
  const schema = { required: ['toString'], enum: [{}, { toString: 1 }] as unknown[] };
  assert.deepEqual(messages(schema, { toString: 1 }), []);
  assert.deepEqual(messages(schema, {}), ['properties.toString is required']);
});

test('schemas may be nested 16 levels deep', () => {
  const nest = (depth: number): object => (depth === 1 ? {} : { items: nest(depth - 1) });
  compileEventSchema(nest(16));
  assert.throws(() => compileEventSchema(nest(17)), /is deeper than 16 schemas/);
});

test('at most 100 problems are listed, and nothing is checked after the hundredth problem', () => {
  const required = Array.from({ length: 1_800 }, (_, index) => `k${index}`);
  const schema = { items: { required, properties: { a: { enum: required.slice(0, 10) } } } };
  const compiled = compileEventSchema(schema);
  const problems: SchemaProblem[] = [];
  let look_ups = 0;
  const empty = new Proxy(
    {},
    {
      getOwnPropertyDescriptor() {
        look_ups++;
        return undefined;
      },
    },
  );
  compiled(
    Array.from({ length: 16_000 }, () => empty),
    'properties',
    problems,
  );
  assert.equal(problems.length, 100);
  // Looking for each of the 1,800 names in all 16,000 items would take 29 million look-ups.
  assert.ok(look_ups < 16_000, `${look_ups} look-ups`);
});

const names = fc.constantFrom('a', 'b', 'c', 'isPrototypeOf');
const scalars = fc.constantFrom(null, true, false, 0, -0, 1, 1.5, -3, 1e21, '', 'a', 'aé', '🦊🦊');
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(names, tie('any'), { maxKeys: 3 }),
  ),
})).any;
const types = fc.constantFrom('null', 'boolean', 'number', 'integer', 'string', 'array', 'object');
const schemas = fc.letrec((tie) => ({
  any: fc
    .record({
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 2 })),
      enum: fc.array(values, { minLength: 1, maxLength: 8 }),
      minimum: fc.integer({ min: -4, max: 4 }),
      maximum: fc.integer({ min: -4, max: 4 }),
      minLength: fc.integer({ min: 0, max: 3 }),
      maxLength: fc.integer({ min: 0, max: 3 }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      properties: fc.dictionary(names, tie('nested'), { maxKeys: 3 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('nested')),
      items: tie('nested'),
    })
    .chain((all) =>
      fc
        .subarray(Object.entries(all), { maxLength: 3 })
        .map((kept) => Object.fromEntries<unknown>(kept)),
    ),
  nested: fc.oneof({ maxDepth: 2 }, fc.constant({}), tie('any')),
})).any;

test('a value is valid exactly when Ajv finds it valid', () => {
  const ajv = new Ajv({ strict: false, validateSchema: false, ownProperties: true });
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 8, maxLength: 8 }), (schema, samples) => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
      for (const sample of samples.map((value) => JSON.parse(JSON.stringify(value)) as unknown)) {
        const expected = validate(sample);
        seen[expected ? 'valid' : 'invalid'] += 1;
        assert.equal(check(schema, sample).length === 0, expected);
      }
    }),
    { numRuns: 250 },
  );
  assert.ok(seen.valid > 200 && seen.invalid > 200, JSON.stringify(seen));
});
