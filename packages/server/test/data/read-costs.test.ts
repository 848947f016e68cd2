import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { countReads } from '../counted-reads.ts';
import { startTestServer } from '../harness.ts';
import type { TestGame, TestServer } from '../harness.ts';
import { sql } from '../../src/platform/database/sql.ts';

/**
 * The cost of reads of players with tens of thousands of rows, counted by PostgreSQL: `p` has many events and
 * submits, `q` many sessions and seasons.
 */

const EVENTS = 45_000;
const SUBMITS = 45_000;
const SESSIONS = 20_000;
const SEASONS = 1_250;
/** A search for the events of a session looks through this number of events for each page. */
const SCANNED = 20_000;

let server: TestServer;
let game: TestGame;
let token: string;
before(async () => {
  server = await startTestServer();
  game = await server.makeGame();
  const { game_id } = game;
  ({ token } = await server.makeAccount({ game_id, role: 'admin' }));
  const group = server.database.ofGame(game_id);
  await group.execute(sql`
    INSERT INTO players (game_id, environment, player_id)
    VALUES (${game_id}, 'production', 'p'), (${game_id}, 'production', 'q')`);
  await group.execute(sql`
    INSERT INTO leaderboards (game_id, board_name, keeps_ledger) VALUES (${game_id}, 'a', true)`);
  await group.execute(sql`
    INSERT INTO sessions (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    SELECT ${game_id}, 'production', 'q', 's' || n, now() - n % 500 * interval '1 min', now(), 1
    FROM generate_series(1, ${SESSIONS}::integer) AS n`);
  await group.execute(sql`
    INSERT INTO sessions (game_id, environment, player_id, session_id, started_at, last_event_at, event_count)
    VALUES (${game_id}, 'production', 'p', 's1', now(), now(), 10)`);
  // Only the current and later months have partitions.
  await group.execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT n, now() + n / 5000 * interval '1 s', now(), 'production', ${game_id}, ${game_id}, 'e',
           CASE WHEN n <= 10 THEN 's1' ELSE 'other' END, 'p', '{}'
    FROM generate_series(1, ${EVENTS}::integer) AS n`);
  for (const [player_id, count] of [
    ['p', SUBMITS],
    ['q', SEASONS],
  ] as const) {
    await group.execute(sql`
      INSERT INTO leaderboard_submits (game_id, environment, player_id, board_name, version, place, season,
        score, outcome, submitted_at, key_id, is_verified, network)
      SELECT ${game_id}, 'production', ${player_id}, 'a', extract(epoch FROM now()) * 1000000 + n / 500,
        n % 500, 1, n, 'kept', now(), ${game_id}, false, '192.0.2.1'
      FROM generate_series(1, ${count}::integer) AS n`);
  }
  await group.execute(sql`
    INSERT INTO leaderboard_entries (game_id, environment, board_name, season, player_id, entry_number,
      score, seq, updated_at)
    SELECT ${game_id}, 'production', 'a', n, 'q', 1, n, 1, now()
    FROM generate_series(1, ${SEASONS}::integer) AS n`);
  // These entries are about changes to other players of the same game.
  await group.execute(sql`
    INSERT INTO audit_log (game_id, action, target, details)
    SELECT ${game_id}, 'update_player', 'p' || n % 500, '{"environment":"production"}'
    FROM generate_series(1, ${EVENTS}::integer) AS n`);
  await group.execute(sql`
    ANALYZE sessions, events, leaderboard_submits, leaderboard_entries, audit_log`);
});
after(() => server.close());

async function ask(node: TestServer, path: string, player_id = 'p') {
  const answer = await node.request(
    'GET',
    `/v1/games/${game.game_id}/players/${player_id}${path}`,
    { token },
  );
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** Tables with many rows of `p`. */
const STORY_TABLES = ['events', 'leaderboard_submits', 'audit_log'];

test('a page of a story reads only a few hundred rows, wherever it begins', async () => {
  const moments = ['', `&before=${new Date(Date.now() + 6_000).toISOString()}`];
  const { rows } = await countReads(server, STORY_TABLES, async (node) => {
    for (const moment of moments) {
      const page = await ask(node, `/story?limit=50${moment}`);
      assert.equal(page.entries.length, 50);
      const next = await ask(node, `/story?limit=50${moment}&cursor=${page.next_cursor}`);
      assert.equal(next.entries.length, 50);
    }
  });
  assert.ok(rows < 2 * moments.length * 600, `${rows} rows`);
});

test('a search for the events of a session reads a part of the rows for each page, and ends', async () => {
  const found: number[] = [];
  const { rows } = await countReads(server, ['events'], async (node) => {
    let cursor = '';
    do {
      const page = await ask(node, `/story?session_id=s1&kind=event${cursor}`);
      found.push(page.entries.length);
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
  });
  assert.deepEqual(found, [0, 0, 10]);
  assert.ok(rows <= 3 * 2 * SCANNED + 1_000, `${rows} rows`);
});

test('a count of a story stops at a thousand entries of each kind', async () => {
  const { rows } = await countReads(server, STORY_TABLES, async (node) => {
    const { totals } = await ask(node, '/story/totals');
    for (const { kind, count, is_exact } of totals) {
      const has_many = kind === 'event' || kind === 'score';
      assert.deepEqual([count, is_exact], has_many ? [1_000, false] : [0, true], kind);
    }
  });
  assert.ok(rows < 5_000, `${rows} rows`);
});

test('the newest sessions of a player are read without the others, even if many began at one moment', async () => {
  const { rows } = await countReads(server, ['sessions'], async (node) => {
    assert.equal((await ask(node, '', 'q')).session_history.length, 50);
  });
  assert.ok(rows <= 100, `${rows} rows`);
});

test('each page of a timeline reads only the page, even if many events came at one moment', async () => {
  const pages = 10;
  const { rows } = await countReads(server, ['events'], async (node) => {
    let cursor = '';
    for (let page = 0; page < pages; page++) {
      const { status, body, text } = await node.request(
        'GET',
        `/v1/players/p/timeline?limit=500${cursor}`,
        { key: game.production_key },
      );
      assert.equal(status, 200, text);
      assert.equal(body.events.length, 500);
      cursor = `&cursor=${body.next_cursor}`;
    }
  });
  assert.ok(rows <= pages * 700, `${rows} rows`);
});

test('an export has each row once, and reads no row more than about once', async () => {
  const tables = ['sessions', 'leaderboard_submits', 'leaderboard_entries'];
  const { rows } = await countReads(server, tables, async (node) => {
    const exported = await ask(node, '/export', 'q');
    const countKeys = (name: string, key: string[]) =>
      new Set(
        exported[name].map((row: Record<string, unknown>) =>
          key.map((column) => row[column]).join(' '),
        ),
      ).size;
    assert.equal(countKeys('sessions', ['session_id']), SESSIONS);
    assert.equal(countKeys('score_submits', ['board_name', 'score']), SEASONS);
    assert.equal(countKeys('scores', ['board_name', 'season']), SEASONS);
  });
  assert.ok(rows <= 1.2 * (SESSIONS + 2 * SEASONS), `${rows} rows`);
});

test('the rules of a config read the large properties of a player once, and no statistics without need', async () => {
  const { token: owner } = await server.makeAccount({ game_id: game.game_id });
  const names = Array.from({ length: 500 }, (_, n) => `property ${n}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, randomBytes(32).toString('hex')]),
  );
  await server.database.ofGame(game.game_id).execute(sql`
    INSERT INTO players (game_id, environment, player_id, properties)
    VALUES (${game.game_id}, 'production', 'large', ${JSON.stringify(properties)}::jsonb)`);
  const rules = Array.from({ length: 25 }, (_, rule) => ({
    value: rule,
    properties: names
      .slice(rule * 20, rule * 20 + 20)
      .map((property) => ({ property, operator: 'eq', value: 'another' })),
  }));
  const { status, text } = await server.request('PUT', `/v1/games/${game.game_id}/config`, {
    token: owner,
    body: { parameters: { p: { value: -1, rules } } },
  });
  assert.equal(status, 200, text);
  const tables = ['players', 'player_stats'];
  const readConfig = async (node: TestServer) => {
    const answer = await node.request('GET', '/v1/config?player_id=large', {
      key: game.production_key,
    });
    assert.equal(answer.status, 200, answer.text);
  };
  const { blocks } = await countReads(server, tables, readConfig);
  assert.ok(blocks <= 500, `${blocks} blocks`);
  const { scans } = await countReads(server, ['player_stats'], readConfig);
  assert.equal(scans, 0);
});
