import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { insertAuditEntry } from '../../platform/audit.ts';
import { sql } from '../../platform/database/sql.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const read = (game_id: string, token: string, query = '') =>
  server.request('GET', `/v1/games/${game_id}/audit-log${query}`, { token });

test('entries come newest first in pages, without gaps or repeats while new entries are made', async () => {
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id, role: 'developer' });
  const note = (target: string) =>
    insertAuditEntry(
      server.database,
      { actor: { account, ip: '192.0.2.17' }, game_id },
      'update_player',
      target,
      { big: 'x' },
    );
  for (let number = 1; number <= 7; number++) await note(String(number));
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body } = await read(
      game_id,
      account.token,
      `?limit=3${cursor && `&cursor=${cursor}`}`,
    );
    assert.equal(status, 200);
    seen.push(...body.audit_log.map(({ target }: { target: string }) => target));
    cursor = body.next_cursor;
    await note('later');
  }
  assert.deepEqual(seen, ['7', '6', '5', '4', '3', '2', '1']);
});

test('an entry holds account, action, target and IP address', async () => {
  const { game_id } = await server.makeGame();
  const account = await server.makeAccount({ game_id });
  await insertAuditEntry(
    server.database,
    { actor: { account, ip: '192.0.2.17' }, game_id },
    'update_game',
    'a',
    { from: 'b', to: 'a' },
  );
  await insertAuditEntry(
    server.database,
    { actor: { account: null, ip: null }, game_id },
    'set_game_tier',
    'b',
  );
  const { body } = await read(game_id, account.token);
  const [byCommand, byAccount] = body.audit_log.map(
    ({ id, at, ...entry }: { id: number; at: string }) => {
      assert.ok(id > 0 && Math.abs(Date.parse(at) - Date.now()) < 60_000);
      return entry;
    },
  );
  assert.deepEqual(byCommand, {
    account_id: null,
    account_email: null,
    ip: null,
    action: 'set_game_tier',
    target: 'b',
    details: {},
  });
  assert.deepEqual(byAccount, {
    account_id: account.account_id,
    account_email: account.email,
    ip: '192.0.2.17',
    action: 'update_game',
    target: 'a',
    details: { from: 'b', to: 'a' },
  });
});

test('entries are filtered by action and account, and never come from other games', async () => {
  const { game_id } = await server.makeGame();
  const other = await server.makeGame();
  const first = await server.makeAccount({ game_id });
  const second = await server.makeAccount({ game_id });
  for (const [account, action, game] of [
    [first, 'update_player', game_id],
    [first, 'delete_player', game_id],
    [second, 'update_player', game_id],
    [first, 'update_player', other.game_id],
  ] as const) {
    await insertAuditEntry(
      server.database,
      { actor: { account, ip: null }, game_id: game },
      action,
      't',
    );
  }
  const count = async (query: string) =>
    (await read(game_id, first.token, query)).body.audit_log.length;
  assert.equal(await count(''), 3);
  assert.equal(await count('?action=update_player'), 2);
  assert.equal(await count(`?account_id=${first.account_id}`), 2);
  assert.equal(await count(`?action=update_player&account_id=${first.account_id}`), 1);
  assert.equal(await count('?action=update_game'), 0);
});

test('entries are filtered by days of the game’s zone, both included', async () => {
  const { game_id } = await server.makeGame({ time_zone: 'Pacific/Auckland' });
  const { token } = await server.makeAccount({ game_id });
  for (const [target, at] of [
    ['before', '2026-03-09T10:59:59Z'],
    ['first', '2026-03-09T11:00:00Z'],
    ['last', '2026-03-10T10:59:59Z'],
    ['after', '2026-03-10T11:00:00Z'],
  ]) {
    await server.database.execute(sql`
      INSERT INTO audit_log (game_id, at, action, target, details)
      VALUES (${game_id}, ${at}, 'update_game', ${target}, '{}')`);
  }
  const targets = async (query: string) =>
    (await read(game_id, token, query)).body.audit_log.map(
      (entry: { target: string }) => entry.target,
    );
  assert.deepEqual(await targets('?from=2026-03-10&to=2026-03-10'), ['last', 'first']);
  assert.deepEqual(await targets('?from=2026-03-11'), ['after']);
  assert.deepEqual(await targets('?to=2026-03-09'), ['before']);
});

test('a developer may read the audit log, a viewer may not, and bad cursors and ids answer 400', async () => {
  const { game_id } = await server.makeGame();
  const viewer = await server.makeAccount({ game_id, role: 'viewer' });
  const developer = await server.makeAccount({ game_id, role: 'developer' });
  assert.equal((await read(game_id, viewer.token)).status, 403);
  for (const [query, error] of [
    ['?cursor=nonsense', 'cursor is not valid'],
    [
      `?cursor=${Buffer.from('["99999999999999999999"]').toString('base64url')}`,
      'cursor is not valid',
    ],
    ['?account_id=me', 'account_id must be a valid uuid'],
    ['?from=2026-02-30', 'from must be a valid date'],
    ['?to=1969-12-31', 'to must be in the years 1970 to 2100'],
    ['?limit=0', 'limit must be at least 1'],
    ['?limit=201', 'limit must be at most 200'],
  ]) {
    const answer = await read(game_id, developer.token, query);
    assert.deepEqual([answer.status, answer.body], [400, { error }], query);
  }
});
