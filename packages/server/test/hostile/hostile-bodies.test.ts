import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { maxBodyBytes } from '@overworld/contract/operation';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { sql } from '../../src/platform/database/sql.ts';
import type { RequestOptions } from '../test-request.ts';
import { sweep } from '../long-forms.ts';
import { INJECTIONS, isText, makeTarget, takeSome, validBody, WIDE } from './hostile-requests.ts';
import type { Property, Target } from './hostile-requests.ts';

/**
 * Sends bodies that no client should send to operations of the contract. Each refusal must be a 400 that
 * names the field, and nothing may be stored.
 */

let target: Target;
before(async () => {
  // The server treats the test client as a trusted proxy. Otherwise all requests would come from one address,
  // and their refused bodies, more than 32 MB together, would exceed the limit of an address.
  target = await makeTarget({ TRUST_PROXY: 'loopback' });
});
after(() => target.server.close());

const ODD_TEXTS = [...INJECTIONS, WIDE.repeat(60), '%00%ff', '../../etc/passwd', '\u202eabc'];

const withBody = OPERATIONS.filter((operation) => operation.body !== undefined);
const swept = sweep(withBody);

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

async function refuse(
  operation: Operation,
  body: unknown,
  field?: string,
  options: RequestOptions = {},
) {
  const answer = await target.send(operation, target.makePath(operation), { body, ...options });
  const shown = `${operation.id} ${String(body).slice(0, 100)} → ${answer.status} ${answer.text}`;
  assert.equal(answer.status, 400, shown);
  assert.equal(Object.keys(answer.body)[0], 'error', shown);
  if (field !== undefined) assert.ok(answer.body.error.includes(field), `${shown}: names ${field}`);
}

/** Counts the rows of each table except those of refusals, calls and tasks in the background. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await target.server.database.query<{ name: string }>(sql`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND relname NOT IN ('daily_track_problems', 'event_problems', 'sdk_calls', 'background_tasks')`);
  const client = await target.server.database.connect();
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

/** Makes values of types that the property does not have. */
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

describe('a refusal of a body names the problem and stores nothing', () => {
  let rows: Record<string, number>;
  before(async () => {
    rows = await countRows();
  });
  after(async () => {
    assert.deepEqual(await countRows(), rows);
  });

  test('every PATCH refuses a body without any of its members, and names a member', async () => {
    const changes = withBody.filter(({ method }) => method === 'PATCH');
    assert.ok(changes.length > 10);
    for (const operation of changes) {
      const [required] = requiredNames(operation);
      await refuse(operation, '{"shade":1}', required ?? 'shade');
      await refuse(operation, '{}', required ?? 'empty');
    }
  });

  for (const operation of swept) {
    test(`${operation.id} refuses bytes that are not a JSON object`, async () => {
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

    test(`${operation.id} refuses nesting over 64 and numbers that are not finite`, async () => {
      const valid = JSON.stringify(validBody(operation)).slice(1, -1);
      const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
      await refuse(operation, `{${valid}${valid ? ',' : ''}"unknown":${deep}}`, 'nested');
      await refuse(operation, `{${valid}${valid ? ',' : ''}"unknown":1e999}`, 'unknown');
      await refuse(operation, `${'['.repeat(8_000)}${']'.repeat(8_000)}`);
    });

    test(`${operation.id} refuses fields that are missing, null or of another type`, async () => {
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

    test(`${operation.id} refuses text that cannot be stored`, async () => {
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
          const [wide, narrow] = [WIDE, 'a'].map((character) =>
            JSON.stringify({ ...valid, [name]: character.repeat(property.maxLength! + 1) }),
          );
          const fits = Buffer.byteLength(wide!) <= maxBodyBytes(operation);
          await refuse(operation, fits ? wide! : narrow!, name);
        }
      }
    });
  }
});

describe('an odd but valid body is accepted as ordinary data', () => {
  for (const operation of swept) {
    test(`${operation.id} accepts unknown members, __proto__, duplicate keys, SQL and HTML`, async () => {
      const valid = validBody(operation);
      const text = JSON.stringify(valid);
      const inner = text.slice(1, -1);
      const path = target.makePath(operation);
      const more = '"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":1';
      const odd = await target.survive(operation, path, {
        body: `{${inner}${inner ? ',' : ''}${more}}`,
      });
      if (odd.status === 400) {
        const plain = await target.survive(operation, path, { body: text });
        assert.equal(odd.text, plain.text, `${operation.id} takes unknown members`);
      }
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
      for (const [name, property] of Object.entries(bodyProperties(operation))) {
        if (name in valid) {
          await target.survive(operation, path, { body: `{"${name}":[],${inner}}` });
        }
        if (!isText(property)) continue;
        for (const value of takeSome(ODD_TEXTS)) {
          await target.survive(operation, path, { body: { ...valid, [name]: value } });
        }
      }
    });
  }
});

test('a body over the size limit is answered 413, and a client that hangs up breaks nothing', async () => {
  for (const operation of swept) {
    const limit = maxBodyBytes(operation);
    const answer = await target.send(operation, target.makePath(operation), {
      body: ' '.repeat(limit + 1),
    });
    assert.equal(answer.status, 413, `${operation.id}: ${answer.text}`);
    assert.equal(typeof answer.body.error, 'string');
  }
  const { port } = new URL(target.server.url);
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
  assert.equal((await target.server.request('GET', '/healthz')).status, 200);
});

test('the contract of every operation states the refusals of malformed requests, also if it reads no body', async () => {
  const { server } = target;
  const { port } = new URL(server.url);
  for (const operation of sweep(OPERATIONS, ({ access, method, body }) =>
    [access, method, body === undefined].join(' '),
  )) {
    const { id, method } = operation;
    const path = target.makePath(operation);
    const headers = ['Host', `127.0.0.1:${port}`, 'Host', 'other.example'];
    const twice = request(`${server.url}${path}`, { method, headers });
    twice.end();
    const [answer] = (await once(twice, 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, 400, id);
    if (method !== 'GET') {
      await refuse(operation, undefined, 'Content-Type', { headers: { 'content-type': 'json' } });
      const body = ' '.repeat(maxBodyBytes(operation) + 1);
      assert.equal((await target.send(operation, path, { body })).status, 413, id);
    }
    server.throwFirstProblem();
  }
});
