import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { KEY_NAME } from '../../platform/auth/sealing.ts';
import { sql } from '../../platform/database/sql.ts';
import { makeFilesStudio } from './test/studio.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('digests and plans have a key of their own in an installation that has sealed no secret yet', async () => {
  const studio = await makeFilesStudio(server);
  const forgetKey = () =>
    server.database.execute(sql`DELETE FROM installation WHERE name = ${KEY_NAME}`);
  const digests: string[] = [];
  const plans: string[] = [];
  for (let time = 1; time <= 2; time++) {
    await forgetKey();
    digests.push((await studio.read()).digest);
    await forgetKey();
    plans.push((await studio.plan([])).body.plan);
  }
  assert.equal(new Set(digests).size, 2);
  assert.equal(new Set(plans).size, 2);
  assert.equal((await studio.read()).digest, (await studio.read()).digest);
});
