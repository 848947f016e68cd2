import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import pino from 'pino';
import { cloneDatabase } from '../../../../test/harness.ts';
import { openTestGroup } from '../../../../test/test-database.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeComingPartitions } from '../event-partitions.ts';
import { createIngester } from '../inbox/ingester.ts';
import { readTrackRequest } from './track-request.ts';

const read = (text: string) => readTrackRequest(Buffer.from(text));

const event = { event_name: 'e', session_id: 's' };

test('the text of a request is kept as sent, but brackets around a single event make it a list', () => {
  const body = ' {"event_name" : "e","session_id":"s","properties":{"n":1.0}} ';
  assert.deepEqual(read(body).text, `[${body}]`);
  assert.deepEqual(read(`[${body}]`).text, `[${body}]`);
});

test('a large number keeps its digits, even if an id looks like a number with an exponent', () => {
  const body = JSON.stringify({ ...event, session_id: '4e1234-12e345' }).replace(
    '}',
    ',"properties":{"big":76561198000000001234}}',
  );
  assert.equal(read(body).text, `[${body}]`);
});

test('deep nesting is refused without a stack overflow', () => {
  const deep = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
  const body = `{"event_name":"e","session_id":"s","properties":${deep}}`;
  assert.throws(() => read(body), { status: 400 });
});

/** Generates JSON texts instead of values, because the same value can be written in several ways. */
const texts = fc.letrec<{ any: string; object: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('null', 'true', 'false', '""', '[]', '{}', '"\\/\\b\\f\\n\\r\\t\\""'),
    fc.constantFrom(
      '-0',
      '0.0',
      '1E5',
      '1e+2',
      '123456789012345678901234567890',
      '1e-999',
      '1e308',
    ),
    fc.constantFrom('"\\u0000"', '"\\ud800"', '"\\ud83d\\ude00"', '"\\u00e9\\uffff"', '1e999'),
    fc.constantFrom(`0.${'0'.repeat(400)}1`, '9'.repeat(308), '9'.repeat(310), '0e-5000'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.array(tie('any'), { maxLength: 3 }).map((items) => `[${items.join(' ,')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom('a', 'a', '__proto__', 'b"', '\\'), tie('any')), {
      maxLength: 4,
    })
    .map((members) => {
      const written = members.map(([name, value]) => `${JSON.stringify(name)} :\n${value}`);
      return `{${written.join(',')}}`;
    }),
}));

test('PostgreSQL reads every accepted request with the same meaning', async () => {
  const bodies = fc.sample(
    fc
      .array(fc.tuple(texts.object, texts.any), { minLength: 1, maxLength: 3 })
      .map((events) =>
        events
          .map(
            ([properties, unknown]) =>
              `{"unknown":${unknown},"event_name":"e","session_id":"s","properties":${properties}}`,
          )
          .join(','),
      ),
    800,
  );
  const accepted = bodies.flatMap((body) => {
    try {
      return [read(`[${body}]`).text];
    } catch (error) {
      assert.equal((error as { status?: number }).status, 400, String(error));
      return [];
    }
  });
  assert.ok(accepted.length > 200 && accepted.length < 800, `${accepted.length}`);

  const { url, drop } = await cloneDatabase();
  const database = openTestGroup({ url }, { application_name: 'test', max_connections: 2 });
  await makeComingPartitions(database);
  await database.execute(sql`
    INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
    SELECT ${randomUUID()}, 'production', ${randomUUID()}, now(), 100, body
    FROM unnest(${accepted}::text[]) WITH ORDINALITY AS sent (body, number)
    ORDER BY number`);
  const ingester = createIngester({ database, logger: pino({ level: 'silent' }) });
  await ingester.processInbox();
  await ingester.close();
  const refused = await database.query(sql`SELECT reason, body FROM event_quarantine`);
  const stored = await database.query<{ properties: string }>(
    sql`SELECT properties::text FROM events ORDER BY id`,
  );
  await database.close();
  await drop();
  assert.deepEqual(refused, []);
  assert.deepEqual(
    stored.map(({ properties }) => JSON.parse(properties) as unknown),
    accepted.flatMap((text) =>
      (JSON.parse(text) as { properties: object }[]).map(({ properties }) =>
        withoutZeroSigns(properties),
      ),
    ),
  );
});

/** Replaces -0 by 0, because PostgreSQL knows no -0. */
const withoutZeroSigns = (value: object): unknown =>
  JSON.parse(JSON.stringify(value), (_key, member: unknown) => (member === 0 ? 0 : member));
