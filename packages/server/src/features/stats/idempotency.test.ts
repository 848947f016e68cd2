import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { MAX_STAT_KEYS } from '@overworld/contract/stats/stat-limits';
import type { TestServer } from '../../../test/harness.ts';
import { makePlayerToken } from '../../../test/player-token.ts';
import { useTwoServers } from '../../../test/two-servers.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { sql } from '../../platform/database/sql.ts';
import { senderOf } from './changes/request-keys.ts';
import { makeStatStudio } from './test/stat-studio.ts';
import type { StatStudio } from './test/stat-studio.ts';

const NO_KEY = '00000000-0000-4000-8000-000000000000';

suite('changes of statistics with an Idempotency-Key', () => {
  const nodes = useTwoServers();
  let server: TestServer;
  let studio: StatStudio;
  before(async () => {
    [server] = nodes;
    studio = await makeStatStudio(server, { wins: 'sum', coins: { minimum: 0 } });
  });

  const named = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('are made once, and a repeat is answered with the present values', async () => {
    const first = await studio.change('p1', { wins: 2 }, named('once'));
    assert.equal(first.body.stats[0].value, 2);
    await studio.change('p1', { wins: 10 });
    const again = await studio.change('p1', { wins: 2 }, named('once'));
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, { stats: [{ key: 'wins', value: 12 }], unlocked: [] });
    const other = await studio.change('p1', { wins: 3 }, named('once'));
    assert.equal(other.status, 400);
    assert.equal(other.body.error, 'Idempotency-Key was already used with another body');
    assert.deepEqual(await studio.listHours('p1'), [{ key: 'wins', value: 12 }]);
  });

  test('that two servers get at the same time many times are made once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        studio.change('p2', { wins: 1 }, { ...named(`many ${index % 4}`), node: nodes[index % 2] }),
      ),
    );
    for (const { status, text } of answers) assert.equal(status, 200, text);
    assert.deepEqual(await studio.valuesOf('p2'), { wins: 4 });
  });

  test('that were refused are made when they are possible', async () => {
    assert.equal((await studio.change('p3', { coins: -1 }, named('poor'))).status, 400);
    await studio.change('p3', { coins: 5 });
    assert.equal((await studio.change('p3', { coins: -1 }, named('poor'))).body.stats[0].value, 4);
    assert.equal((await studio.change('p3', { coins: -1 }, named('poor'))).body.stats[0].value, 4);
  });

  test('that were made are no longer refused, though the values of now would refuse them', async () => {
    await studio.change('p7', { coins: 10 });
    const spend = () => studio.change('p7', { coins: -8, wins: 1 }, named('spend'));
    const answers = [await spend(), await spend(), ...(await Promise.all([spend(), spend()]))];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.stats?.[0].value]),
      Array.from({ length: 4 }, () => [200, 2]),
    );
    const others = await Promise.all([
      spend(),
      studio.change('p7', { coins: -2 }),
      studio.change('p7', { coins: -9 }, named('spend')),
      studio.change('p7', { coins: -9 }, named('too much')),
    ]);
    assert.deepEqual(
      others.map(({ status }) => status),
      [200, 200, 400, 400],
    );
    assert.match(others[2].body.error, /already used with another body/);
    assert.match(others[3].body.error, /coins must be at least 0/);
    assert.deepEqual(await studio.valuesOf('p7'), { coins: 0, wins: 1 });
  });

  test('of other players in the same batch are made, whatever a repeat among them is answered', async () => {
    await studio.change('p4', { wins: 1 }, named('repeated'));
    const answers = await Promise.all([
      studio.change('p4', { wins: 1 }, named('repeated')),
      studio.change('p4', { wins: 2 }, named('repeated')),
      studio.change('p4', { wins: 5 }, named('new')),
      studio.change('p5', { wins: 5 }, named('p5')),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400, 200, 200],
    );
    assert.deepEqual(await studio.valuesOf('p4'), { wins: 6 });
    assert.deepEqual(await studio.valuesOf('p5'), { wins: 5 });
  });

  test('are made again after seven days, and keys are kept as hashes', async () => {
    const of_game = sql`game_id = ${studio.game_id}`;
    await studio.change('p6', { wins: 1 }, named('old p6'));
    const rows = await server.database.query(sql`
      SELECT FROM stat_request_keys WHERE ${of_game} AND idempotency_key LIKE '%p6%'`);
    assert.equal(rows.length, 0);
    await server.database.execute(sql`
      UPDATE stat_request_keys SET expires_at = now() WHERE ${of_game}`);
    const again = await studio.change('p6', { wins: 1 }, named('old p6'));
    assert.equal(again.body.stats[0].value, 2);
  });

  test('that leave the player to the token are made for each player', async () => {
    const { game_id } = studio;
    const sendAs = async (player_id: string, body: object) => {
      const player = { game_id, environment: 'production', player_id } as const;
      return server.request('POST', '/v1/stats', {
        key: studio.production_key,
        headers: {
          'x-player-token': await makePlayerToken(server, player),
          'idempotency-key': 'level-1',
        },
        body,
      });
    };
    const body = { changes: [{ key: 'wins', value: 1 }] };
    const answers = await Promise.all(
      ['ann', 'ben', 'ann'].map((player_id) => sendAs(player_id, body)),
    );
    for (const answer of answers) assert.deepEqual(answer.body.stats, [{ key: 'wins', value: 1 }]);
    await sendAs('ben', body);
    for (const name of ['ann', 'ben']) assert.deepEqual(await studio.valuesOf(name), { wins: 1 });
  });

  test('are recognised by the newest keys of their player', async () => {
    const { game_id } = studio;
    const listKeys = async (player_id: string) => {
      const rows = await server.database.query<{ idempotency_key: string }>(sql`
        SELECT idempotency_key FROM stat_request_keys
        WHERE game_id = ${game_id}
          AND sender = ${senderOf({ game_id, environment: 'production', player_id })}::bigint`);
      return rows.map(({ idempotency_key }) => idempotency_key);
    };
    for (const player of ['p8', 'p9']) {
      await studio.change(player, { wins: 1 }, named(`${player} 1`));
    }
    const sender = senderOf({ game_id, environment: 'production', player_id: 'p8' });
    await server.database.execute(sql`
      INSERT INTO stat_request_keys
        (game_id, key_id, idempotency_key, body_hash, expires_at, sender)
      SELECT ${game_id}, ${NO_KEY}, 'key ' || number, '', now() + make_interval(secs => number),
             ${sender}
      FROM generate_series(1, ${2 * MAX_STAT_KEYS}) AS number`);
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        studio.change('p8', { wins: 1 }, named(`p8 ${index + 2}`)),
      ),
    );
    await waitUntil('old keys are deleted', async () => {
      const { length } = await listKeys('p8');
      return length >= MAX_STAT_KEYS && length < MAX_STAT_KEYS + 200;
    });
    const kept = await listKeys('p8');
    assert.ok(kept.includes(`key ${2 * MAX_STAT_KEYS}`));
    assert.ok(!kept.includes('key 1'));
    assert.equal((await listKeys('p9')).length, 1);
    await studio.change('p8', { wins: 1 }, named('p8 5'));
    assert.deepEqual(await studio.valuesOf('p8'), { wins: 101 });
  });

  test('with an empty or a long key are refused', async () => {
    const answer = await studio.change('p7', { wins: 1 }, named('x'.repeat(256)));
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, 'Idempotency-Key must have at most 255 characters');
  });
});
