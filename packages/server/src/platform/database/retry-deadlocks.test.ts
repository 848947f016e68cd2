import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloneDatabase } from '../../../test/harness.ts';
import { openTestDatabase } from '../../../test/test-database.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import { sql } from './sql.ts';

test('two transactions in a deadlock run again until both succeed', async () => {
  const cloned = await cloneDatabase();
  const settings = { application_name: 'test', max_connections: 3 };
  const database = openTestDatabase({ url: cloned.url }, settings);
  await database.execute(sql`INSERT INTO installation (name, value) VALUES ('a', ''), ('b', '')`);
  const { promise: bothHold, resolve: bothDo } = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const append = (names: readonly string[]) =>
    retryDeadlocks(() =>
      database.transaction(async (tx) => {
        runs++;
        for (const [index, name] of names.entries()) {
          await tx.execute(sql`UPDATE installation SET value = value || 'x' WHERE name = ${name}`);
          if (index > 0) continue;
          if (++holding === 2) bothDo();
          await bothHold;
        }
      }),
    );
  await Promise.all([append(['a', 'b']), append(['b', 'a'])]);
  const values = await database.query<{ value: string }>(
    sql`SELECT value FROM installation WHERE name = ANY('{a,b}')`,
  );
  assert.deepEqual(values, [{ value: 'xx' }, { value: 'xx' }]);
  // The repeated transaction may lock its first row before the other transaction wakes up.
  // If it does, the deadlock happens again.
  assert.ok(runs > 2, `${runs} runs`);
  await assert.rejects(
    retryDeadlocks(async () => {
      throw new Error('another failure');
    }),
    /another failure/,
  );
  await database.close();
  await cloned.drop();
});
