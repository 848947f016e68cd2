import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { OPERATIONS } from '@overworld/contract/operations';
import { sweep } from '../long-forms.ts';
import { INJECTIONS, makeTarget, takeSome, validBody, WIDE } from './hostile-requests.ts';
import type { Property, Target } from './hostile-requests.ts';

/**
 * Sends paths and query strings that no client should send to operations of the contract. Impossible
 * paths and queries must get a 400, odd ones are ordinary data, and no request may ever get a 500.
 */

let target: Target;
before(async () => {
  target = await makeTarget();
});
after(() => target.server.close());

const ODD_SEGMENTS = [
  ...INJECTIONS,
  '..',
  '.',
  '__proto__',
  'constructor',
  '0',
  '-1',
  '1e9',
  'null',
];

const withQuery = sweep(OPERATIONS.filter((operation) => operation.query !== undefined));
const withParams = sweep(OPERATIONS.filter((operation) => operation.params !== undefined));

describe('a hostile path or query is ordinary data, or is answered with a 400 that explains it', () => {
  for (const operation of withParams) {
    test(`${operation.id} refuses or accepts hostile path parameters`, async () => {
      const body = operation.body ? validBody(operation) : undefined;
      for (const [name, schema] of Object.entries(operation.params!.properties)) {
        const { maxLength } = schema as Property;
        const at = (value: string) => target.makePath(operation, { [name]: value });
        for (const value of takeSome(['%00', 'a%00b', '%ff', '%zz', '%', '%ed%a0%80'])) {
          const answer = await target.send(operation, at(value), { body });
          assert.equal(answer.status, 400, `${operation.id} ${at(value)} → ${answer.text}`);
        }
        if (maxLength) {
          const answer = await target.send(operation, at('a'.repeat(maxLength + 1)), { body });
          assert.equal(answer.status, 400, `${operation.id} ${name} too long → ${answer.text}`);
          assert.match(answer.body.error, new RegExp(name));
        }
        const slashes = encodeURIComponent(`a/b%2F%${WIDE}`.padEnd(255 - 1, '/%'));
        await target.survive(operation, at(slashes), { body });
        for (const value of takeSome(ODD_SEGMENTS)) {
          await target.survive(operation, at(encodeURIComponent(value)), { body });
        }
      }
    });
  }

  for (const operation of withQuery) {
    test(`${operation.id} refuses or accepts hostile query strings`, async () => {
      const body = operation.body ? validBody(operation) : undefined;
      for (const [name, schema] of Object.entries(operation.query!.properties)) {
        const property = schema as Property;
        const at = (query: string) => {
          const [path, required = ''] = target.makePath(operation).split('?');
          const others = required.split('&').filter((part) => part && part !== `${name}=nobody`);
          return `${path}?${[...others, query].join('&')}`;
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
          const answer = await target.send(operation, at(query), { body });
          assert.equal(
            answer.status,
            400,
            `${operation.id} ${at(query)} → ${answer.status} ${answer.text}`,
          );
          assert.ok(answer.body.error.includes(name), `${operation.id} ${query}: ${answer.text}`);
        }
        for (const value of takeSome([...INJECTIONS, WIDE, '%', '_', '\\'])) {
          await target.survive(operation, at(`${name}=${encodeURIComponent(value)}`), { body });
        }
        await target.survive(operation, at(`${name}=%ff%fe`), { body });
        await target.survive(operation, at('__proto__=1&constructor=2&%zz'), { body });
      }
    });
  }
});

test('a key is still checked after thousands of requests for unknown paths', async () => {
  const { url } = target.server;
  for (let sent = 0; sent < 1_500; sent += 50) {
    const asked = Array.from({ length: 50 }, (_, n) => fetch(`${url}/v1/nowhere/${sent + n}`));
    for (const { status } of await Promise.all(asked)) assert.ok([404, 429].includes(status));
  }
  const { status } = await target.server.request('GET', '/v1/leaderboards/none', { key: 'wrong' });
  assert.equal(status, 401);
});
