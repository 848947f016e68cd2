import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { waitUntil } from '../../../../test/wait-until.ts';
import { sql } from '../../../platform/database/sql.ts';
import { lockGame } from '../../../platform/game-lock.ts';
import { AUDIENCE, startIssuer } from './issuer.ts';
import type { TestIssuer } from './issuer.ts';
import { makeIssuerGame } from './issuer-game.ts';
import type { IssuerGame } from './issuer-game.ts';
import { makeDevice } from './login-game.ts';

/** In each test, the issuers sign tokens with the same subject, for a provider of one name. */

let server: TestServer;
let other: TestIssuer;
let own: IssuerGame;
let first_player_id: string;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_ISSUERS: 'true' } });
  other = await startIssuer();
});
after(async () => {
  await own.issuer.close();
  await other.close();
  await server.close();
});
beforeEach(async () => {
  await own?.issuer.close();
  own = await makeIssuerGame(server);
  first_player_id = (await logIn(own.issuer)).player_id;
});

const sign = (issuer: TestIssuer) => issuer.sign({ sub: '1001', jti: randomUUID() });
const logIn = async (issuer: TestIssuer) => {
  const { status, body } = await own.logIn(await sign(issuer));
  assert.ok(status < 300, `${status} ${body.error}`);
  return body;
};
/** Makes the stored logins those of a release that knew no issuers of logins. */
const forgetIssuers = () =>
  server.database
    .ofGame(own.game.game_id)
    .execute(sql`UPDATE player_identities SET issuer = '' WHERE game_id = ${own.game.game_id}`);

/** Applies files with these login providers, and deletes all others. */
const applyFiles = async (...issuers: string[]) => {
  const definitions = issuers.map((issuer) => ({
    kind: 'login_provider',
    key: 'production/studio-id',
    definition: { issuer, audiences: [AUDIENCE] },
  }));
  const files = { definitions, prune: true };
  const { body } = await own.game.steer('POST', '/definitions/plan', files);
  const applying = { ...files, plan: body.plan };
  const applied = await own.game.steer('POST', '/definitions/apply', applying);
  assert.equal(applied.status, 200, applied.text);
};

const handovers: Record<string, () => Promise<unknown>> = {
  'its name is given to another issuer': () => own.register({ issuer: other.url }),
  'it is removed, and another issuer gets its name': async () => {
    await own.game.steer('DELETE', '/login-providers/studio-id');
    await own.register({ issuer: other.url });
  },
  'a file gives its name to another issuer': () => applyFiles(other.url),
  'no file has it any more, and then a file gives its name to another issuer': async () => {
    await applyFiles();
    await applyFiles(other.url);
  },
};
for (const [handover, handOver] of Object.entries(handovers)) {
  for (const release of ['this release', 'the release before']) {
    test(`a login of ${release} stays with the issuer of a provider when ${handover}`, async () => {
      if (release === 'the release before') await forgetIssuers();
      await handOver();
      const { player_id, created } = await logIn(other);
      assert.equal(created, true);
      assert.notEqual(player_id, first_player_id);
      assert.equal((await logIn(other)).player_id, player_id);
      await own.register();
      assert.equal((await logIn(own.issuer)).player_id, first_player_id);
    });
  }
}

test('an apply of files marks the logins of an issuer before it locks the game', async () => {
  await forgetIssuers();
  const { game_id } = own.game;
  const database = server.database.ofGame(game_id);
  let applied = Promise.resolve();
  await database.transaction(async (tx) => {
    await lockGame(tx, game_id);
    applied = applyFiles(other.url);
    await waitUntil('the logins are marked', async () => {
      const unmarked = await database.query(sql`
        SELECT FROM player_identities WHERE game_id = ${game_id} AND issuer = ''`);
      return unmarked.length === 0;
    });
  });
  await applied;
});

test('a login of the release before belongs to its player, in logins and in links', async () => {
  await forgetIssuers();
  await own.register({ audiences: ['client-of-the-game', 'one-more'] });
  assert.equal((await logIn(own.issuer)).player_id, first_player_id);
  const device = await own.game.logIn(makeDevice());
  const login = { provider: 'studio-id', id_token: await sign(own.issuer) };
  assert.equal((await own.game.link(device.body.player_token, login)).status, 409);
});

test('another issuer with the name of a provider can link its own logins', async () => {
  await own.register({ issuer: other.url });
  const device = await own.game.logIn(makeDevice());
  const login = { provider: 'studio-id', id_token: await sign(other) };
  const { status } = await own.game.link(device.body.player_token, login);
  assert.equal(status, 200);
  assert.equal((await logIn(other)).player_id, device.body.player_id);
  await own.register();
  assert.equal((await logIn(own.issuer)).player_id, first_player_id);
});
