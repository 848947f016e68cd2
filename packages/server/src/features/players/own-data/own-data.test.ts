import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { earlier } from '../../../../test/earlier.ts';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { listLockWaits, waitForLock } from '../../../../test/wait-for-lock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { makeOwnDataGame } from '../test/own-data-game.ts';
import type { LoggedInPlayer, OwnDataGame } from '../test/own-data-game.ts';

let server: TestServer;
let game: OwnDataGame;
before(async () => {
  server = await startTestServer({ env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
});
after(() => server.close());
beforeEach(async () => {
  game = await makeOwnDataGame(server);
});

const refusalOf = ({ status, body }: TestAnswer) => [status, body?.error];
const MISSING = [401, 'Missing x-player-token header'];
const OLD = [403, 'Log in again: this needs a login of the last 5 minutes'];
const ADDED = [
  403,
  'This login was added to the player less than 24 hours ago: log in by an older one, or try again later',
];
const OTHERS = [403, 'This player token belongs to another player'];
const ENDED = [401, 'This login has ended. Log in again.'];

/** Moves the logins of all players of the game into the past. */
const passMinutes = (minutes: number) => {
  const past = sql`${minutes}::integer * interval '1 minute'`;
  return server.database.ofGame(game.game_id).execute(sql`
    UPDATE player_login_sessions SET opened_at = ${earlier(sql`opened_at`, past)}`);
};

/** Makes all players of the game, and their present logins, this many hours older. */
async function passHours(hours: number) {
  const past = sql`${hours}::integer * interval '1 hour'`;
  const group = server.database.ofGame(game.game_id);
  await group.execute(sql`
    UPDATE players SET first_seen_at = ${earlier(sql`first_seen_at`, past)}
    WHERE game_id = ${game.game_id}`);
  await group.execute(sql`
    UPDATE player_identities SET created_at = ${earlier(sql`created_at`, past)}
    WHERE game_id = ${game.game_id}`);
}

describe('a player', () => {
  let ann: LoggedInPlayer;
  beforeEach(async () => {
    ann = await game.join();
    await game.save(ann);
  });

  test('exports and erases itself within five minutes after a login', async () => {
    const exported = await game.export(ann);
    assert.equal(exported.status, 200);
    assert.equal(exported.body.player.player_id, ann.player_id);
    assert.equal(exported.body.saves.length, 1);
    assert.equal((await game.erase(ann)).status, 204);
    assert.equal(await game.exists(ann), false);
    assert.equal((await game.refresh(ann)).status, 401);
  });

  test('is exported over the connections of low priority', async () => {
    let exporting: Promise<TestAnswer> | undefined;
    await server.database.ofGame(game.game_id).transaction(async (tx) => {
      await tx.execute(sql`LOCK TABLE saves IN ACCESS EXCLUSIVE MODE`);
      exporting = game.export(ann);
      await waitForLock(server.database);
      const waits = await listLockWaits(server.database);
      assert.deepEqual(
        waits.map(({ application_name }) => application_name),
        ['overworld-reads'],
      );
    });
    assert.equal((await exporting!).status, 200);
  });

  test('leaves an audit entry without its network, and one webhook message', async () => {
    await game.listen();
    assert.equal((await game.erase(ann)).status, 204);
    const [entry, ...others] = await game.listErasures();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [entry!.target, entry!.account_email, entry!.ip, entry!.details],
      [ann.player_id, null, null, { environment: 'production', by: 'player' }],
    );
    assert.deepEqual(await game.listAnnounced(), [ann.player_id]);
    assert.deepEqual(refusalOf(await game.erase(ann)), [404, 'Player not found']);
    assert.deepEqual(await game.listAnnounced(), [ann.player_id]);
  });

  test('is refused with a login of more than five minutes ago, also with a renewed token', async () => {
    await passMinutes(6);
    assert.deepEqual(refusalOf(await game.erase(ann)), OLD);
    assert.deepEqual(refusalOf(await game.export(ann)), OLD);
    const { body } = await game.refresh(ann);
    assert.deepEqual(refusalOf(await game.erase({ ...ann, ...body })), OLD);
    assert.equal(await game.exists(ann), true);
    const again = await game.logIn(ann.device);
    assert.equal((await game.erase(again)).status, 204);
  });

  test('is refused after its logout', async () => {
    await game.logOut(ann);
    assert.deepEqual(refusalOf(await game.erase(ann)), ENDED);
  });

  test('is refused by a login that a stolen token has just added, but not by its own', async () => {
    await passHours(48);
    const added = await game.addDevice(ann);
    assert.deepEqual(refusalOf(await game.erase(added)), ADDED);
    assert.deepEqual(refusalOf(await game.export(added)), ADDED);
    const moved = await game.moveDevice(ann);
    assert.deepEqual(refusalOf(await game.erase(moved)), ADDED);
    assert.equal((await game.erase(await game.logIn(ann.device))).status, 204);
  });

  test('is refused by a login that a merge has just added', async () => {
    const thief = await game.join();
    await passHours(48);
    await game.merge(ann.player_id, thief.player_id);
    const moved = await game.logIn(thief.device);
    assert.equal(moved.player_id, ann.player_id);
    assert.deepEqual(refusalOf(await game.erase(moved)), ADDED);
    assert.deepEqual(refusalOf(await game.export(moved)), ADDED);
    assert.equal((await game.erase(await game.logIn(ann.device))).status, 204);
  });

  test('is refused for another player, another environment and another game', async () => {
    const bob = await game.join();
    assert.deepEqual(refusalOf(await game.erase({ ...ann, player_id: bob.player_id })), OTHERS);
    const foreign = [401, 'This player token belongs to another game'];
    assert.deepEqual(refusalOf(await game.erase(ann, game.development_key)), foreign);
    const other = await server.makeGame();
    assert.deepEqual(refusalOf(await game.erase(ann, other.production_key)), foreign);
    for (const player of [ann, bob]) assert.equal(await game.exists(player), true);
  });

  test('is refused without a token, whatever calls the game lets through', async () => {
    const anonymous = { ...ann, player_token: '' };
    assert.deepEqual(refusalOf(await game.erase(anonymous)), MISSING);
    assert.deepEqual(refusalOf(await game.export(anonymous)), MISSING);
  });

  test('that was merged into another player cannot erase that player with an old token', async () => {
    const bob = await game.join();
    await game.merge(bob.player_id, ann.player_id);
    assert.equal((await game.erase(ann)).status, 404);
    assert.deepEqual(refusalOf(await game.erase({ ...ann, player_id: bob.player_id })), OTHERS);
    assert.equal(await game.exists(bob), true);
    // The id that was merged into bob names bob.
    assert.equal((await game.erase({ ...bob, player_id: ann.player_id })).status, 204);
    assert.equal(await game.exists(bob), false);
  });

  test('can begin five erasures and exports a minute from one network', async () => {
    for (let call = 0; call < 5; call++) assert.equal((await game.export(ann)).status, 200);
    const { status, headers } = await game.erase(ann);
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 0);
    const by = await server.makeKey(game.game_id, 'production', 'server');
    assert.equal((await game.erase({ ...ann, player_token: '' }, by)).status, 204);
  });
});

describe('a server key', () => {
  test('exports and erases any player of its environment, and the audit log names the key', async () => {
    const ann = await game.join();
    await passMinutes(6);
    const named = { ...ann, player_token: '' };
    const key = await server.makeKey(game.game_id, 'production', 'server');
    const other = await server.makeKey(game.game_id, 'development', 'server');
    assert.equal((await game.export(named, other)).status, 404);
    assert.equal((await game.erase(named, other)).status, 404);
    assert.equal((await game.export(named, key)).body.player.player_id, ann.player_id);
    assert.equal((await game.erase(named, key)).status, 204);
    assert.equal((await game.erase(named, key)).status, 404);
    const [entry, ...others] = await game.listErasures();
    assert.deepEqual(others, []);
    assert.deepEqual(Object.keys(entry!.details), ['key_id', 'environment']);
  });

  test('does not erase the player who stays by the id of a merged one', async () => {
    const [ann, bob] = [await game.join(), await game.join()];
    await game.merge(bob.player_id, ann.player_id);
    const key = await server.makeKey(game.game_id, 'production', 'server');
    assert.equal((await game.erase({ ...ann, player_token: '' }, key)).status, 404);
    assert.equal(await game.exists(bob), true);
  });
});
