import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { sql } from '../src/platform/database/sql.ts';
import { startTestServer } from './harness.ts';
import type { RequestOptions, TestAnswer, TestGame, TestServer } from './harness.ts';
import { sampleBody, samplePath } from './sample-request.ts';

/**
 * Sends what no client should to every operation of the contract. Each refusal must be a 400 that
 * names the field, nothing may be stored by one, and nothing may ever be answered by a 500.
 */

interface Property {
  type?: string | string[];
  minLength?: number;
  maxLength?: number;
  maximum?: number;
  enum?: unknown[];
  anyOf?: Property[];
}

const WIDE = '🦊';
const INJECTIONS = [`'; DROP TABLE players; --`, '<script>alert(1)</script>', '${7*7}{{7*7}}'];

let server: TestServer;
let game: TestGame;
let token: string;

before(async () => {
  server = await startTestServer();
  game = await server.makeGame({ tier: 'studio' });
  ({ token } = await server.makeAccount({
    game_id: game.game_id,
    role: 'owner',
    is_administrator: true,
  }));
});
after(() => server.close());

const bodyProperties = (operation: Operation): Record<string, Property> => {
  const schema = operation.body as unknown as {
    properties?: Record<string, Property>;
    anyOf?: { properties?: Record<string, Property> }[];
  };
  return schema.properties ?? schema.anyOf?.find((part) => part.properties)?.properties ?? {};
};

const requiredNames = (operation: Operation): string[] => {
  const schema = operation.body as unknown as {
    required?: string[];
    anyOf?: { required?: string[] }[];
  };
  return schema.required ?? schema.anyOf?.find((part) => part.required)?.required ?? [];
};

const validBody = (operation: Operation): Record<string, unknown> => {
  const body = sampleBody(operation);
  // A password that is changed ends the session that the other requests need.
  return operation.id === 'changePassword' ? { ...body, current_password: 'a wrong one' } : body;
};

const credentials = ({ access }: Operation): RequestOptions => {
  if (access === 'anyone') return {};
  return access === 'key' || access === 'key_or_account' ? { key: game.production_key } : { token };
};

const makePath = (operation: Operation, params: Record<string, string> = {}, query = '') =>
  samplePath(operation, { game_id: game.game_id, ...params }, query);

const send = (operation: Operation, path: string, options: RequestOptions): Promise<TestAnswer> =>
  server.request(operation.method, path, { ...credentials(operation), ...options });

async function refuse(
  operation: Operation,
  body: unknown,
  field?: string,
  options: RequestOptions = {},
) {
  const answer = await send(operation, makePath(operation), { body, ...options });
  const shown = `${operation.id} ${String(body).slice(0, 100)} → ${answer.status} ${answer.text}`;
  assert.equal(answer.status, 400, shown);
  assert.equal(Object.keys(answer.body)[0], 'error', shown);
  if (field !== undefined) assert.ok(answer.body.error.includes(field), `${shown}: names ${field}`);
}

async function survive(operation: Operation, path: string, options: RequestOptions) {
  const answer = await send(operation, path, options);
  assert.ok(answer.status < 500, `${operation.id} ${path} → ${answer.status} ${answer.text}`);
  return answer;
}

/** Rows of every table: what was refused must not have changed their number. */
/** Rows of all tables but the one that counts what was refused. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await server.database.query<{ name: string }>(sql`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname <> 'daily_track_problems'`);
  const client = await server.database.connect();
  try {
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ count: number }>(`SELECT count(*) FROM "${name}"`);
      counts[name] = rows[0]!.count;
    }
    return counts;
  } finally {
    client.release();
  }
}

const withBody = OPERATIONS.filter((operation) => operation.body !== undefined);
const withQuery = OPERATIONS.filter((operation) => operation.query !== undefined);
const withParams = OPERATIONS.filter((operation) => operation.params !== undefined);

/** Values of every other type than a property's. */
function wrongValues(property: Property): unknown[] {
  if (property.enum) return ['no such choice', 7, [], {}];
  const types = [property.type ?? property.anyOf?.map((part) => part.type) ?? []].flat(2);
  if (types.length === 0) return [];
  const samples: Record<string, unknown> = {
    string: 'text',
    number: 12.5,
    boolean: true,
    array: [],
    object: {},
  };
  return Object.entries(samples)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .map(([, value]) => value)
    .concat(types.includes('number') || types.includes('integer') ? ['12'] : []);
}

const isText = (property: Property) => property.type === 'string' && property.enum === undefined;

describe('a body that is refused names what is wrong and stores nothing', () => {
  let rows: Record<string, number>;
  before(async () => {
    rows = await countRows();
  });
  after(async () => {
    assert.deepEqual(await countRows(), rows);
  });

  for (const operation of withBody) {
    test(`${operation.id}: bytes that are no JSON object`, async () => {
      const valid = JSON.stringify(validBody(operation));
      for (const body of [
        '',
        '{',
        '"text"',
        '1',
        'null',
        'true',
        '[]',
        '[1]',
        '[null]',
        `\uFEFF${valid}`,
      ]) {
        await refuse(operation, body);
      }
      await refuse(
        operation,
        Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
        'UTF-8',
      );
      await refuse(operation, valid, 'Content-Type', { headers: { 'content-type': 'text/plain' } });
      await refuse(operation, valid, 'Content-Type', {
        headers: { 'content-type': 'application/json; charset=utf-16' },
      });
    });

    test(`${operation.id}: nesting over 64, numbers that are not finite`, async () => {
      const valid = JSON.stringify(validBody(operation)).slice(1, -1);
      const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
      await refuse(operation, `{${valid}${valid ? ',' : ''}"unknown":${deep}}`, 'nested');
      await refuse(operation, `{${valid}${valid ? ',' : ''}"unknown":1e999}`, 'unknown');
      await refuse(operation, `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    });

    test(`${operation.id}: fields that are missing, null or of another type`, async () => {
      const valid = validBody(operation);
      for (const name of requiredNames(operation)) {
        const { [name]: _left_out, ...rest } = valid;
        const hasDefault = 'default' in (bodyProperties(operation)[name] ?? {});
        if (!hasDefault) await refuse(operation, JSON.stringify(rest), name);
        await refuse(operation, JSON.stringify({ ...valid, [name]: null }), name);
      }
      for (const [name, property] of Object.entries(bodyProperties(operation))) {
        for (const value of wrongValues(property)) {
          await refuse(operation, JSON.stringify({ ...valid, [name]: value }), name);
        }
      }
    });

    test(`${operation.id}: text that cannot be stored`, async () => {
      const valid = validBody(operation);
      for (const [name, property] of Object.entries(bodyProperties(operation)).filter(([, p]) =>
        isText(p),
      )) {
        await refuse(operation, JSON.stringify({ ...valid, [name]: 'a\u0000b' }), name);
        await refuse(operation, JSON.stringify({ ...valid, [name]: 'a\ud800b' }), name);
        if (property.minLength) {
          await refuse(operation, JSON.stringify({ ...valid, [name]: '' }), name);
        }
        if (property.maxLength) {
          const long = WIDE.repeat(property.maxLength + 1);
          await refuse(operation, JSON.stringify({ ...valid, [name]: long }), name);
        }
      }
    });
  }
});

describe('a body that is odd but valid is ordinary data', () => {
  for (const operation of withBody) {
    test(`${operation.id}: unknown members, __proto__, duplicate keys, SQL and HTML`, async () => {
      const valid = validBody(operation);
      const text = JSON.stringify(valid);
      const inner = text.slice(1, -1);
      const path = makePath(operation);
      const more = '"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":1';
      const odd = await survive(operation, path, { body: `{${inner}${inner ? ',' : ''}${more}}` });
      if (odd.status === 400) {
        const plain = await survive(operation, path, { body: text });
        assert.equal(odd.text, plain.text, `${operation.id} takes unknown members`);
      }
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
      for (const [name, property] of Object.entries(bodyProperties(operation))) {
        if (name in valid) {
          await survive(operation, path, { body: `{"${name}":[],${inner}}` });
        }
        if (!isText(property)) continue;
        for (const value of [
          ...INJECTIONS,
          WIDE.repeat(60),
          '%00%ff',
          '../../etc/passwd',
          '\u202eabc',
        ]) {
          await survive(operation, path, { body: { ...valid, [name]: value } });
        }
      }
    });
  }
});

describe('paths and query strings', () => {
  for (const operation of withParams) {
    test(`${operation.id}: hostile path parameters`, async () => {
      const body = operation.body ? validBody(operation) : undefined;
      for (const [name, schema] of Object.entries(operation.params!.properties)) {
        const { maxLength } = schema as Property;
        const at = (value: string) => makePath(operation, { [name]: value });
        for (const value of ['%00', 'a%00b', '%ff', '%zz', '%', '%ed%a0%80']) {
          const answer = await send(operation, at(value), { body });
          assert.equal(answer.status, 400, `${operation.id} ${at(value)} → ${answer.text}`);
        }
        if (maxLength) {
          const answer = await send(operation, at('a'.repeat(maxLength + 1)), { body });
          assert.equal(answer.status, 400, `${operation.id} ${name} too long → ${answer.text}`);
          assert.match(answer.body.error, new RegExp(name));
        }
        const slashes = encodeURIComponent(`a/b%2F%${WIDE}`.padEnd(255 - 1, '/%'));
        await survive(operation, at(slashes), { body });
        for (const value of [
          ...INJECTIONS,
          '..',
          '.',
          '__proto__',
          'constructor',
          '0',
          '-1',
          '1e9',
          'null',
        ]) {
          await survive(operation, at(encodeURIComponent(value)), { body });
        }
      }
    });
  }

  for (const operation of withQuery) {
    test(`${operation.id}: hostile query strings`, async () => {
      const body = operation.body ? validBody(operation) : undefined;
      for (const [name, schema] of Object.entries(operation.query!.properties)) {
        const property = schema as Property;
        const at = (query: string) => {
          const others = makePath(operation).replace(new RegExp(`[?&]${name}=nobody`), '');
          return `${others}${others.includes('?') ? '&' : '?'}${query}`;
        };
        const wrong = [`${name}=%00`, `${name}=a%00b`];
        if (property.type === 'integer' || property.type === 'number') {
          wrong.push(`${name}=abc`, `${name}=1.5`, `${name}=-1`, `${name}=1e400`, `${name}=`);
          wrong.push(`${name}=NaN`, `${name}=0x10`);
          if (property.maximum !== undefined) wrong.push(`${name}=99999999999999999999999`);
        }
        if (property.enum) wrong.push(`${name}=no`, `${name}=`);
        if (property.type !== 'array') wrong.push(`${name}=1&${name}=2`);
        if (property.maxLength) wrong.push(`${name}=${'a'.repeat(property.maxLength + 1)}`);
        for (const query of wrong) {
          const answer = await send(operation, at(query), { body });
          assert.equal(
            answer.status,
            400,
            `${operation.id} ${at(query)} → ${answer.status} ${answer.text}`,
          );
          assert.ok(answer.body.error.includes(name), `${operation.id} ${query}: ${answer.text}`);
        }
        for (const value of [...INJECTIONS, WIDE, '%', '_', '\\']) {
          await survive(operation, at(`${name}=${encodeURIComponent(value)}`), { body });
        }
        await survive(operation, at(`${name}=%ff%fe`), { body });
        await survive(operation, at('__proto__=1&constructor=2&%zz'), { body });
      }
    });
  }
});

test('a body past the limit is answered 413, and a client that hangs up breaks nothing', async () => {
  for (const operation of withBody) {
    const limit = operation.max_body_bytes ?? 1024 * 1024;
    const answer = await send(operation, makePath(operation), { body: ' '.repeat(limit + 1) });
    assert.equal(answer.status, 413, `${operation.id}: ${answer.text}`);
    assert.equal(typeof answer.body.error, 'string');
  }
  const { port } = new URL(server.url);
  const { connect } = await import('node:net');
  for (const start of [
    'POST /v1/identify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half',
    'POST /v1/track HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\u0000\u0001\u0002',
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(start);
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on('error', () => undefined).on('close', () => resolve());
    });
  }
  assert.equal((await server.request('GET', '/healthz')).status, 200);
});
