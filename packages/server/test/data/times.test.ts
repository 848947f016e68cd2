import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Operation } from '@overworld/contract/operation';
import { OPERATIONS } from '@overworld/contract/operations';
import { makeTarget, validBody } from '../hostile/hostile-requests.ts';
import type { Target } from '../hostile/hostile-requests.ts';

let target: Target;
before(async () => {
  target = await makeTarget();
});
after(() => target.server.close());

const TIMES = [
  '2098-11-20T10:00Z',
  '2098-11-20T10:00',
  '2098-11-20t10:00:00z',
  '2098-11-20T10:00:00.123456789123Z',
  '2098-11-20T12:00+02:00',
  '2098-11-20T12:00:00+0200',
  '2098-11-20T12:00+02',
];

interface Schema {
  format?: string;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
}

/** Lists the members of a body or query that are times. */
function timesOf(schema: Schema | undefined): string[] {
  const parts = [schema ?? {}, ...(schema?.anyOf ?? [])];
  const members = parts.flatMap(({ properties = {} }) => Object.entries(properties));
  const isTime = ({ format, anyOf }: Schema) =>
    [format, ...(anyOf ?? []).map((part) => part.format)].includes('date-time');
  return [...new Set(members.filter(([, member]) => isTime(member)).map(([name]) => name))];
}

const timed = OPERATIONS.flatMap((operation: Operation) => [
  ...timesOf(operation.body as Schema | undefined).map((name) => ({
    operation,
    name,
    isBody: true,
  })),
  ...timesOf(operation.query as Schema | undefined).map((name) => ({
    operation,
    name,
    isBody: false,
  })),
]);

test('every time in a body or a query may have any form of ISO 8601', async () => {
  assert.ok(timed.length >= 6, timed.map(({ name }) => name).join(' '));
  for (const { operation, name, isBody } of timed) {
    const path = target.makePath(operation);
    for (const time of TIMES) {
      const query = isBody
        ? ''
        : `${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(time)}`;
      const others = timesOf(operation.body as Schema | undefined).map((each) => [each, undefined]);
      const body = operation.body && {
        ...validBody(operation),
        ...Object.fromEntries(others),
        ...(isBody && { [name]: time }),
      };
      const { status, text } = await target.survive(operation, path + query, { body });
      assert.ok(status !== 400 || !text.includes(name), `${operation.id} ${name}=${time}: ${text}`);
    }
  }
});
