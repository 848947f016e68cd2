import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { sql } from './sql.ts';
import { hashText } from './text-hash.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('texts have the hashes of PostgreSQL, with any seed', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 }).map((any) => any.replaceAll('\0', ''));
  const seed = fc.oneof(fc.constantFrom(0, 1, 2 ** 32), fc.nat({ max: 2 ** 47 }));
  const run = fc.asyncProperty(fc.array(text, { maxLength: 500 }), seed, async (texts, seeded) => {
    const rows = await server.database.query<{ hash: string }>(sql`
      SELECT hashtextextended(value, ${seeded}::bigint)::text AS hash
      FROM unnest(${texts}::text[]) WITH ORDINALITY AS sent (value, place)
      ORDER BY place`);
    for (const [index, { hash }] of rows.entries()) {
      const { high, low } = hashText(texts[index]!, seeded);
      const own = (BigInt(high) << 32n) | BigInt(low >>> 0);
      assert.equal(own.toString(), hash, JSON.stringify(texts[index]));
    }
  });
  await fc.assert(run, { numRuns: 20 });
});
