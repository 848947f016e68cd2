import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { allAnswers } from '@overworld/contract/implied-answers';
import { GROUPS } from '@overworld/contract/groups';
import { describeApi } from '@overworld/contract/openapi';
import { OPERATIONS } from '@overworld/contract/operations';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { findMismatch } from '../answer-checker.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';

/** Routes of pages and files, which are not operations. */
const PAGES = /^\/(docs(\/|$)|sdk\/|\*|assets\/|[\w.-]+$)/;

suite('the API description', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ env: { WORKERS: '1' } });
  });
  after(() => server.close());

  const described = describeApi('0.1.0');

  test('GET /v1/openapi.json serves the description', async () => {
    const { status, body } = await server.request('GET', '/v1/openapi.json');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.paths), Object.keys(described.paths));
  });

  test('the description is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone({ ...described }));
    assert.deepEqual(result, { valid: true });
    assert.equal(validator.version, '3.1');
  });

  test('every route is a page, or an operation in the description', () => {
    const operations = new Set<unknown>(OPERATIONS);
    for (const { method, path, operation } of server.routes) {
      if (operation === undefined) {
        assert.match(path, PAGES, `${method} ${path} is not made from an operation`);
      } else {
        assert.ok(operations.has(operation), `${operation.id} is missing in operations.ts`);
      }
    }
  });

  test('every operation in the description is served', () => {
    const served = new Set(server.routes.map(({ operation }) => operation));
    const missing = OPERATIONS.filter((operation) => !served.has(operation));
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });

  test('members of a body that have a default may be left out', () => {
    type Body = { content: Record<string, { schema: { required?: string[] } }> };
    const paths = described.paths as Record<string, Record<string, { requestBody?: Body }>>;
    for (const { id, method, path, body } of OPERATIONS) {
      const { requestBody } = paths[path]![method.toLowerCase()]!;
      const required = requestBody?.content['application/json']!.schema.required ?? [];
      const { properties = {} } = (body ?? {}) as { properties?: Record<string, object> };
      for (const [name, member] of Object.entries(properties)) {
        assert.ok(!('default' in member && required.includes(name)), `${id}: ${name}`);
      }
    }
  });

  test('ids and paths are unique, and every group has a heading', () => {
    const unique = (names: string[]) => assert.equal(new Set(names).size, names.length);
    unique(OPERATIONS.map(({ id }) => id));
    unique(OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`));
    const headings = Object.values(GROUPS).flatMap((groups) => Object.keys(groups));
    unique(headings);
    for (const { group } of OPERATIONS) assert.ok(headings.includes(group), group);
  });

  for (const operation of OPERATIONS) {
    test(`${operation.id} is described in full, and its examples match their schemas`, () => {
      const { id, summary, description, path, params, query, headers, body, example } = operation;
      assert.match(id, /^[a-z]+[A-Za-z]*$/);
      assert.ok(summary.length > 0 && description.length > 0);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      assert.deepEqual(Object.keys(params?.properties ?? {}).toSorted(), names.toSorted());
      for (const part of [params, query, headers, body]) {
        if (!part) continue;
        assertDescribed(part, id);
        // The server compiles the schema without this check.
        assert.ok(ajv.validateSchema(part), `${id}: ${ajv.errorsText()}`);
      }
      if (body) {
        assertMatches(body, example, `${id} body`);
      }
      for (const [status, answer] of Object.entries(allAnswers(operation))) {
        const place = `${id} ${status}`;
        assert.ok(answer.description.length > 0, place);
        if (answer.body === undefined) continue;
        assertDescribed(answer.body, place);
        assertMatches(answer.body, answer.example, place);
      }
    });
  }
});

const ajv = new Ajv2020({ strict: false });

/** Asserts that an example matches a schema, and has no member that the schema does not name. */
function assertMatches(schema: TSchema, example: unknown, place: string): void {
  assert.notEqual(example, undefined, `${place} has no example`);
  const mismatch = findMismatch(schema, example);
  assert.equal(mismatch, null, `${place}: ${mismatch}`);
}

/** Asserts that every member of every object in a schema has a description, or members with descriptions. */
function assertDescribed(schema: unknown, place: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {}, ...rest } = schema as { properties?: Record<string, object> };
  for (const [name, member] of Object.entries(properties)) {
    assert.ok(isDescribed(member), `${place}: ${name} has no description`);
    assertDescribed(member, place);
  }
  for (const part of Object.values(rest).flat()) assertDescribed(part, place);
}

function isDescribed(schema: object): boolean {
  const { anyOf = [], items, ...own } = schema as { anyOf?: object[]; items?: object };
  if ('description' in own || 'const' in own || 'properties' in own) return true;
  return anyOf.some(isDescribed) || (items !== undefined && isDescribed(items));
}
