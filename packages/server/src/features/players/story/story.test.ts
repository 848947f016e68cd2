import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { sql } from '../../../platform/database/sql.ts';
import { describe } from '../test/story-entries.ts';
import type { Entry } from '../test/story-entries.ts';
import { makeStoryGame } from '../test/story-game.ts';
import type { StoryGame } from '../test/story-game.ts';

let server: TestServer;
let game: StoryGame;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());
beforeEach(async () => {
  game = await makeStoryGame(server);
});

test('the story has all kinds of entries, the latest first', async () => {
  await game.live();
  const { status, body } = await game.story('?limit=200');
  assert.equal(status, 200);
  const entries: Entry[] = body.entries;
  assert.deepEqual(entries.map(describe), [
    'grant_achievement',
    'unlock of First Steps',
    'revoke_achievement',
    'message Sorry claimed',
    'send_message',
    'message Sorry sent',
    'update_player',
    'start in s2',
    'logged 20 improved',
    'logged 5 kept',
    'logged 10 new',
    'plain 20 best',
    'b 1 deleted',
    'b 1 stored',
    'main 1 stored',
    'win in s1',
    'fight in s1',
    'start in s1',
    'logged_in device phone of p',
    'linked device phone of p',
  ]);
  const times = entries.map(({ at }) => at);
  assert.deepEqual(times, times.toSorted().toReversed());
  assert.equal(body.next_cursor, null);
  assert.deepEqual(
    body.sessions.map(({ session_id, event_count }: Entry) => [session_id, event_count]).toSorted(),
    [
      ['s1', 3],
      ['s2', 1],
    ],
  );
  const change = entries.find(({ action }) => action === 'update_player')!;
  assert.deepEqual((change.details as { add_tags: string[] }).add_tags, ['vip']);
  assert.match(change.account_email as string, /@/);
});

test('the story lists the events of one name, and all entries of other kinds', async () => {
  await game.live();
  const { body } = await game.story('?event_name=start&kind=event&kind=save');
  assert.deepEqual(body.entries.map(describe), [
    'start in s2',
    'b 1 deleted',
    'b 1 stored',
    'main 1 stored',
    'start in s1',
  ]);
  const none = await game.story('?event_name=start&kind=save&limit=1');
  assert.deepEqual(none.body.entries.map(describe), ['b 1 deleted']);
  assert.deepEqual(
    (await readPages(1, '&event_name=start&session_id=s1&kind=event')).map(describe),
    ['start in s1'],
  );
  assert.deepEqual((await game.story('?event_name=other&kind=event')).body.entries, []);
});

/** Reads the story in pages. */
async function readPages(limit: number, query = ''): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { status, body, text } = await game.story(`?limit=${limit}${query}${from}`);
    assert.equal(status, 200, text);
    assert.ok(body.entries.length <= limit);
    entries.push(...body.entries);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return entries;
}

test('pages of any size return each entry once, even when all entries have the same moment', async () => {
  await game.live();
  for (const of_one_moment of [false, true]) {
    if (of_one_moment) {
      const ms = Date.now();
      const moment = sql`${new Date(ms).toISOString().replace('Z', '456Z')}::timestamptz`;
      const version = sql`${ms * 1_000 + 456}::bigint`;
      for (const change of [
        sql`UPDATE achievement_unlocks SET unlocked_at = ${moment}`,
        sql`UPDATE save_versions SET saved_at = ${moment}`,
        sql`UPDATE saves SET deleted_at = ${moment} WHERE deleted_at IS NOT NULL`,
        sql`UPDATE leaderboard_entries SET updated_at = ${moment}`,
        sql`UPDATE leaderboard_submits SET submitted_at = ${moment}, place = version % 1000000, version = ${version}`,
        sql`UPDATE player_identities SET created_at = ${moment}`,
        sql`UPDATE player_login_sessions SET opened_at = ${moment}`,
        sql`UPDATE audit_log SET at = ${moment}`,
        sql`UPDATE events SET received_at = ${moment}`,
        sql`UPDATE messages SET sent_at = ${moment}`,
        sql`UPDATE message_states SET claimed_at = ${moment}, read_at = ${moment}`,
      ]) {
        await server.database.ofGame(game.game_id).execute(change);
      }
    }
    const whole: Entry[] = (await game.story('?limit=200')).body.entries;
    assert.equal(whole.length, 20);
    for (const limit of [1, 2, 3, 5, 19, 20]) {
      assert.deepEqual(await readPages(limit), whole, `pages of ${limit}`);
    }
  }
});

test('the story can be limited to kinds, to a session, and to the time before a moment', async () => {
  await game.track('s1', ['start'], '2026-01-10T12:00:00.000Z');
  await game.live();
  const kinds = async (query: string) =>
    (await game.story(`?limit=200&${query}`)).body.entries.map(describe);
  assert.deepEqual(await kinds('kind=unlock'), ['unlock of First Steps']);
  assert.deepEqual(await kinds('kind=save&kind=unlock'), [
    'unlock of First Steps',
    'b 1 deleted',
    'b 1 stored',
    'main 1 stored',
  ]);
  const { entries } = (await game.story('?limit=200')).body;
  const win: Entry = entries.find(({ event_name }: Entry) => event_name === 'win');
  const moment = new Date(Date.parse(win.at) + 1).toISOString();
  assert.deepEqual((await kinds(`before=${moment}`)).slice(0, 2), ['win in s1', 'fight in s1']);
  assert.deepEqual(await kinds('before=1970-01-01T00:00:00Z'), []);
  assert.equal((await kinds('before=9999-12-31T23:59:59-23:59')).length, entries.length);

  // This moves the start of the session to a minute before `moment`, and its end to after all entries of
  // `live`.
  await server.database.execute(sql`
    UPDATE sessions SET started_at = ${moment}::timestamptz - interval '1 minute', last_event_at = now()
    WHERE game_id = ${game.game_id} AND session_id = 's2'`);
  const of_session = await kinds('session_id=s2');
  assert.deepEqual(
    of_session.filter((text: string) => text.includes(' in s')),
    ['start in s2'],
  );
  assert.ok(of_session.includes('main 1 stored') && of_session.includes('update_player'));
  const { body } = await game.story('?session_id=s2&kind=unlock');
  assert.equal(body.sessions[0].session_id, 's2');
});

test('a viewer sees neither changes by staff nor the ledger of submits', async () => {
  await game.live();
  const { status, body } = await game.story('?limit=200', game.viewer);
  assert.equal(status, 200);
  const seen = body.entries.map(describe);
  assert.deepEqual(
    seen.filter((text: string) => /^(logged|plain) \d/.test(text)),
    ['logged 20 best', 'plain 20 best'],
  );
  assert.ok(body.entries.every(({ kind }: Entry) => kind !== 'change'));
  assert.ok(seen.includes('unlock of First Steps') && seen.includes('win in s1'));
});

const totals = async (token = game.developer) => {
  const { status, body } = await game.story('/totals', token);
  assert.equal(status, 200);
  return body.totals as { kind: string; count: number; is_exact: boolean }[];
};

test('totals say how many entries of each kind a reader may see', async () => {
  await game.live();
  for (const token of [game.developer, game.viewer]) {
    const { entries } = (await game.story('?limit=200', token)).body;
    const counted = await totals(token);
    assert.equal(counted.length, 8);
    for (const { kind, count, is_exact } of counted) {
      const listed = entries.filter((entry: Entry) => entry.kind === kind);
      assert.deepEqual([count, is_exact], [listed.length, true], kind);
    }
  }
  assert.equal((await game.story('/totals', game.developer, 'nobody')).status, 404);
});

test('the story shows logins, logouts, and the end of a session whose token was copied', async () => {
  const device = {
    provider: 'device',
    device_id: 'telephone',
    secret: 'x'.repeat(43),
    player_id: 'p',
  };
  const renew = (token: string) =>
    game
      .play('POST', '/v1/players/refresh', { refresh_token: token })
      .then((body) => body.refresh_token);
  const first = (await game.play('POST', '/v1/players/login', device)).refresh_token;
  await game.play('POST', '/v1/players/logout', { refresh_token: await renew(first) });
  const second = (await game.play('POST', '/v1/players/login', device)).refresh_token;
  await renew(await renew(second));
  const key = game.key;
  const copied = { key, body: { refresh_token: second } };
  assert.equal((await server.request('POST', '/v1/players/refresh', copied)).status, 401);

  const { body } = await game.story('?kind=login');
  assert.deepEqual(body.entries.map(describe), [
    'token_reused device telephone',
    'logged_in device telephone',
    'logged_out device telephone',
    'logged_in device telephone',
    'linked device telephone',
  ]);
  const counted = (await totals()).find(({ kind }) => kind === 'login');
  assert.deepEqual(counted, { kind: 'login', count: 5, is_exact: true });
});

test('a score in quarantine is shown once, and only to developers', async () => {
  await game.steer('PUT', '/leaderboards/ruled', { max_gain: 10, on_violation: 'quarantine' });
  for (const score of [1, 900]) {
    await game.play('POST', '/v1/leaderboards', { player_id: 'p', board_name: 'ruled', score });
  }
  const scores = async (token: string) =>
    (await game.story('?kind=score', token)).body.entries.map(describe);
  assert.deepEqual(await scores(game.developer), ['ruled 900 quarantined', 'ruled 1 best']);
  assert.deepEqual(await scores(game.viewer), ['ruled 1 best']);
});

test('the story of an unknown player, or of an unknown session, is answered 404', async () => {
  await game.live();
  const other = await server.makeGame();
  const stranger = (await server.makeAccount({ game_id: other.game_id })).token;
  assert.equal((await game.story('', stranger)).status, 404);
  assert.equal((await game.story('', game.developer, 'nobody')).status, 404);
  assert.equal((await game.story('?environment=development')).status, 404);
  const { status, body } = await game.story('?session_id=s9');
  assert.deepEqual([status, body.error], [404, 'Session not found']);
});

test('a bad cursor, kind or moment is answered 400, and the error names the field', async () => {
  await game.live();
  const cursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  for (const [query, name] of [
    ['kind=nothing', 'kind'],
    ['before=yesterday', 'before'],
    ['before=2026-13-01T00:00:00Z', 'before'],
    ['before=1969-12-31T00:00:00Z', 'before'],
    ['cursor=x', 'cursor'],
    [`cursor=${cursor(['1', 'event', 'x'])}`, 'cursor'],
    [`cursor=${cursor(['1', 'nothing', '1'])}`, 'cursor'],
    [`cursor=${cursor(['12345678901234567', 'save', ''])}`, 'cursor'],
    [`cursor=${cursor(['1', 'save', '\u0000'])}`, 'cursor'],
    ['limit=201', 'limit'],
    ['session_id=', 'session_id'],
  ]) {
    const { status, body } = await game.story(`?${query}`);
    assert.equal(status, 400, query);
    assert.match(body.error, new RegExp(name!), query);
  }
  for (const key of [
    ['9999999999999999', 'event', '999999999999999999'],
    ['0', 'save', '%\ud83d\ude00'],
  ]) {
    assert.equal((await game.story(`?cursor=${cursor(key)}`)).status, 200, key.join(' '));
  }
});
