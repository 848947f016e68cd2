import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../platform/database/sql.ts';
import { openStaffScene, person } from './test/staff-scene.ts';

const json = (error: unknown) => JSON.stringify({ error });

test('a code that the issuer refuses in any way fails that login alone, and the log has its error', async () => {
  await using scene = await openStaffScene();
  const { issuer, logIn, server } = scene;
  for (const [status, body] of [
    [400, json('invalid_grant')],
    [400, json('invalid_request')],
    [403, 'no JSON'],
    [404, 'null'],
  ] as const) {
    issuer.refuseCodes({ status, body });
    const refused = await logIn(person());
    assert.equal(refused.status, 401, `${body}: ${refused.text}`);
    assert.match(refused.body.error, /does not know this login any more/);
    issuer.refuseCodes(null);
    assert.equal((await logIn(person())).status, 200, body);
  }
  const counted = await server.database.queryOne<{ attempts: number }>(sql`
    SELECT sum(attempts)::integer AS attempts FROM attempt_counts WHERE action = 'identity_login'`);
  assert.equal(counted!.attempts, 4);
});

test('an issuer that does not accept the client, or has failed, counts as away', async () => {
  for (const [status, body] of [
    [401, json('invalid_client')],
    [400, json('unauthorized_client')],
    [429, json('slow_down')],
    [500, json('x'.repeat(5_000))],
    [200, '{}'],
  ] as const) {
    const lines: string[] = [];
    await using scene = await openStaffScene({}, { log: { write: (line) => lines.push(line) } });
    scene.issuer.refuseCodes({ status, body });
    const refused = await scene.logIn(person());
    assert.equal(refused.status, 503, `${body}: ${refused.text}`);
    const logged = lines.filter((line) => line.includes('The token endpoint answered'));
    assert.ok(logged.length > 0, lines.join());
    assert.doesNotMatch(logged.join(), /x{101}/);
  }
});

test('a login reads the document of the issuer once, for the endpoints and the keys', async () => {
  await using scene = await openStaffScene();
  assert.equal((await scene.logIn(person())).status, 200);
  const read = scene.issuer.asked.filter((path) => path.endsWith('/openid-configuration'));
  assert.equal(read.length, 1);
});
