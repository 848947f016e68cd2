import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { makeEmptyDatabase } from '../../../test/copy-database.ts';
import { startTestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { openStaffScene, person } from './test/staff-scene.ts';

async function run(args: string[], DATABASE_URL: string): Promise<void> {
  const result = await callCli(args, { DATABASE_URL });
  assert.equal(result.code, 0, result.stderr);
}

test('a restored installation knows its identities, and the archive of a game has none of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'overworld-identities-'));
  const target = await makeEmptyDatabase();
  try {
    await using plain = await startTestServer();
    const { game_id } = await plain.makeGame();
    const { database_url } = plain;
    const roles = `artists=admin@${game_id}`;
    await using scene = await openStaffScene({ OIDC_ROLES: roles }, { database_url });
    const { issuer, logIn } = scene;
    const mira = { ...person(), groups: ['artists'] };
    const { user } = (await logIn(mira)).body;

    const game_file = join(folder, 'game.ndjson.gz');
    await run(['export-game', game_id, game_file], database_url);
    const exported = gunzipSync(await readFile(game_file)).toString();
    for (const part of [mira.sub, issuer.url, user.id, 'from_groups', 'unknown_password_hash']) {
      assert.ok(!exported.includes(part), `the archive of the game has ${part}`);
    }
    const whole_file = join(folder, 'whole.ndjson.gz');
    await run(['backup', whole_file], database_url);
    await run(['restore', whole_file], target.url);

    const env = {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: 'overworld',
      OIDC_DOMAINS: 'studio.example',
    };
    await using restored = await startTestServer({ database_url: target.url, env });
    const begun = await restored.request('POST', '/v1/auth/identity/begin', { body: {} });
    const { searchParams } = new URL(begun.body.url);
    issuer.answerWith(await issuer.sign({ nonce: searchParams.get('nonce'), ...mira }));
    const entered = await restored.request('POST', '/v1/auth/identity/finish', {
      body: { code: 'code', state: searchParams.get('state') },
      headers: { cookie: String(begun.headers.get('set-cookie')).split(';')[0]! },
    });
    assert.equal(entered.body.user?.id, user.id, entered.text);
    const me = await restored.request('GET', '/v1/auth/me', { token: entered.body.token });
    assert.equal(me.body.has_password, false);
    // The settings of this server give no roles to groups, so the role of the group is taken.
    assert.deepEqual(me.body.memberships, []);
  } finally {
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
