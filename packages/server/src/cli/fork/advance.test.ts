import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFullGame } from '../../../test/full-game.ts';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { callCli } from '../../../test/run-cli.ts';
import { dropExpiredPartitions } from '../../features/events/event-partitions.ts';
import { joinIngest } from '../../platform/ingest-lock.ts';
import { trimLedgers } from '../../features/leaderboards/quarantine/housekeeping.ts';
import { countNaively, readRollups } from '../../features/reports/test/naive-rollups.ts';
import { selectCount } from '../../platform/database/select-count.ts';
import { sql } from '../../platform/database/sql.ts';
import { MOVED_TIMES } from './moved-times.ts';
import { readRowsOf } from './test/game-rows.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

suite('setting the clock of a fork on', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  const call = (...args: string[]) => callCli(args, { DATABASE_URL: server.database_url });
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await call(...args);
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  /** Makes a game with an owner, and the calls by which it is set up. */
  const makeStudio = async (time_zone = 'UTC') => {
    const { game_id } = await server.makeGame({ time_zone });
    const owner = await server.makeAccount({ game_id });
    const send = async (method: string, path: string, body?: unknown, id = game_id) => {
      const answer = await server.request(method, `/v1/games/${id}${path}`, {
        token: owner.token,
        body,
      });
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
      return answer.body;
    };
    return {
      game_id,
      send,
      async fork(...more: string[]) {
        const id = await run('fork', game_id, `--owner=${owner.email}`, ...more);
        const production = '?environment=production';
        return {
          id,
          key: await server.makeKey(id, 'production'),
          read: (path: string) => send('GET', `${path}${production}`, undefined, id),
        };
      },
    };
  };
  const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

  test('makes scheduled changes, each at its time, also those that are over within a day', async () => {
    const { send, fork } = await makeStudio();
    await send('PUT', '/config', { parameters: { shop: { value: 'plain' }, fee: { value: 1 } } });
    const schedule = (name: string, key: string, value: unknown, from: number, until: number) =>
      send('POST', '/config/schedules', {
        name,
        starts_at: later(from),
        ends_at: later(until),
        parameters: { [key]: { value } },
      });
    await schedule('Short', 'shop', 'short', 30, 31);
    await schedule('Long', 'fee', 2, 60, 100);
    const copy = await fork();
    const config = async () =>
      (await server.request('GET', '/v1/config', { key: copy.key })).body.config ?? null;
    const states = async () => {
      const { open, past } = await copy.read('/config/schedules');
      return [...open, ...past].map(
        ({ name, state }: Record<string, string>) => `${name} ${state}`,
      );
    };
    assert.deepEqual(await config(), { shop: 'plain', fee: 1 });
    await run('advance', copy.id, '--days=1');
    assert.deepEqual((await states()).toSorted(), ['Long coming', 'Short coming']);
    await run('advance', copy.id, '--days=1');
    assert.deepEqual((await states()).toSorted(), ['Long coming', 'Short done']);
    await run('advance', copy.id, '--to=3');
    assert.deepEqual((await states()).toSorted(), ['Long running', 'Short done']);
    assert.deepEqual(await config(), { shop: 'plain', fee: 2 });
    await run('advance', copy.id, '--to=5');
    assert.deepEqual((await states()).toSorted(), ['Long done', 'Short done']);
    assert.deepEqual(await config(), { shop: 'plain', fee: 1 });
    const { versions } = await copy.read('/config/versions');
    const times = versions.map(({ created_at }: { created_at: string }) => created_at);
    assert.equal(versions.length, 5);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.ok(times.every((at: string) => Date.parse(at) <= Date.now()));
    assert.match(await run('advance', copy.id, '--to=5'), /is at day 5 already/);
    const origin = await send('GET', '');
    assert.deepEqual([origin.forked_from, origin.advanced_days], [null, 0]);
    const told = await send('GET', '', undefined, copy.id);
    assert.deepEqual([told.forked_from, told.advanced_days], [origin.id, 5]);
  });

  test('begins each season of the calendar, in the time zone of the game', async () => {
    const { send, fork } = await makeStudio('America/New_York');
    await send('PUT', '/leaderboards/week', { reset_schedule: 'weekly' });
    await send('PUT', '/leaderboards/month', { reset_schedule: 'monthly' });
    await send('PUT', '/leaderboards/ever', {});
    const copy = await fork();
    const submit = (player_id: string, score: number) =>
      server.request('POST', '/v1/leaderboards', {
        key: copy.key,
        body: { board_name: 'week', player_id, score },
      });
    await submit('early', 5);
    await run('advance', copy.id, '--days=8');
    await submit('late', 3);
    await run('advance', copy.id, '--days=57');
    const seasonsOf = async (board: string) =>
      (await copy.read(`/leaderboards/${board}/seasons`)).seasons.toReversed() as {
        started_at: string;
        ends_at: string;
        ended_at: string | null;
        total_entries: number;
      }[];
    const weeks = await seasonsOf('week');
    assert.ok(weeks.length === 10 || weeks.length === 11, `${weeks.length} weeks in 65 days`);
    /** The moment in the calendar of the fork, as its people read it on a clock. */
    const onClock = (at: string) =>
      new Date(Date.parse(at) + 65 * DAY_MS).toLocaleString('en-GB', {
        timeZone: 'America/New_York',
        weekday: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
      });
    for (const { ends_at } of weeks) assert.match(onClock(ends_at), /^Mon.* 00:00$/);
    for (const [index, { ended_at }] of weeks.slice(0, -1).entries()) {
      assert.equal(ended_at, weeks[index + 1]!.started_at);
    }
    assert.equal(weeks.at(-1)!.ended_at, null);
    assert.deepEqual(
      weeks.map(({ total_entries }) => total_entries).filter((entries) => entries > 0),
      [1, 1],
    );
    assert.deepEqual([weeks[0]!.total_entries, weeks.at(-1)!.total_entries], [1, 0]);
    const months = await seasonsOf('month');
    assert.ok(months.length === 3 || months.length === 4);
    for (const { ends_at } of months) assert.match(onClock(ends_at), /\b1\b.* 00:00$/);
    assert.deepEqual(await seasonsOf('ever'), []);
  });

  test('makes the submits of the ledger older, also for the rules about time', async () => {
    const { send, fork } = await makeStudio();
    await send('PUT', '/leaderboards/slow', {
      keeps_ledger: true,
      min_submit_interval_ms: 12 * HOUR_MS,
      ledger_days: 2,
    });
    const copy = await fork();
    const submit = async (score: number) => {
      const body = { board_name: 'slow', player_id: 'Erika', score };
      return (await server.request('POST', '/v1/leaderboards', { key: copy.key, body })).status;
    };
    const read = () =>
      server.database.query<{ counted_ms: number | null; version: number }>(sql`
        SELECT counted_ms, version FROM leaderboard_submits
        WHERE game_id = ${copy.id} ORDER BY version`);
    assert.equal(await submit(1), 201);
    assert.equal(await submit(2), 403);
    const rows = await read();
    assert.ok(rows.length > 0);
    await run('advance', copy.id, '--days=1');
    assert.deepEqual(
      await read(),
      rows.map(({ counted_ms, version }) => ({
        counted_ms: counted_ms === null ? null : counted_ms - DAY_MS,
        version: version - DAY_MS * 1_000,
      })),
    );
    assert.equal(await submit(3), 200);
    await run('advance', copy.id, '--days=1');
    await trimLedgers(server.database.ofGame(copy.id));
    assert.equal((await read()).length, 1);
  });

  test('shows the entries of boards with their earlier times, also where no season ends', async () => {
    const { send, fork } = await makeStudio();
    await send('PUT', '/leaderboards/ever', {});
    const copy = await fork();
    const body = { board_name: 'ever', player_id: 'Erika', score: 5 };
    await server.request('POST', '/v1/leaderboards', { key: copy.key, body });
    const readTime = async () => {
      const { entries } = await copy.read('/leaderboards/ever/entries');
      return Date.parse(entries[0].updated_at);
    };
    const first = await readTime();
    assert.equal(await readTime(), first);
    await run('advance', copy.id, '--days=1');
    assert.equal(await readTime(), first - DAY_MS);
  });

  test('checks the alerts of each day, and tells nobody', async () => {
    const { game_id, send, fork } = await makeStudio();
    const key = await server.makeKey(game_id, 'production');
    const { id: webhook_id } = await send('POST', '/webhooks', {
      url: 'https://hooks.studio.example/alerts',
      description: '',
      events: ['quota.reached'],
    });
    await send('POST', '/alerts', {
      name: 'Few events',
      environment: 'production',
      metric: 'events',
      comparison: 'below',
      threshold: 1,
      account_ids: [],
      webhook_ids: [webhook_id],
    });
    await server.request('POST', '/v1/track', {
      key,
      body: { event_name: 'play', session_id: 's', player_id: 'Erika' },
    });
    await send('GET', '/players/Erika?environment=production');
    const copy = await fork('--players=100%');
    const mails = await server.database.queryOne(sql`SELECT count(*) FROM mail_outbox`);
    await run('advance', copy.id, '--days=3');
    const [alert] = (await copy.read('/alerts')).alerts;
    assert.equal(alert.state, 'firing');
    const { changes } = await send('GET', `/alerts/${alert.id}/history`, undefined, copy.id);
    assert.deepEqual(
      // Shortly after midnight, the first check is still about the day before the event.
      changes
        .slice(0, 2)
        .map(({ state, value }: { state: string; value: number }) => [state, value]),
      [
        ['firing', 0],
        ['ok', 1],
      ],
    );
    const deliveries = sql`SELECT FROM webhook_deliveries WHERE game_id = ${copy.id}`;
    assert.equal(await server.database.execute(deliveries), 0);
    const later_mails = await server.database.queryOne(sql`SELECT count(*) FROM mail_outbox`);
    assert.deepEqual(later_mails, mails);
  });

  test('makes everything in the fork older by the days, and nothing in its game', async () => {
    const source = await makeFullGame(server, { marker: 'moved', player_id: 'Erika' });
    const id = await run('fork', source.game_id, '--players=100%');
    // Each day would wait for the check of the alert.
    await server.database.execute(sql`DELETE FROM alerts WHERE game_id = ${id}`);
    const [before_rows, game_rows] = [
      await readRowsOf(server.database, id),
      await readRowsOf(server.database, source.game_id),
    ];
    await run('advance', id, '--days=40');
    const rows = await readRowsOf(server.database, id);
    let moved = 0;
    for (const [table, columns] of Object.entries(MOVED_TIMES)) {
      for (const column of columns) {
        const read = (list: Record<string, unknown>[] | undefined, days: number) =>
          (list ?? [])
            .map((row) => row[column])
            .filter((at) => typeof at === 'string')
            .map((at) => Date.parse(at as string) - days * DAY_MS)
            .toSorted((a, b) => a - b);
        const wanted = read(before_rows[table], 40);
        assert.deepEqual(read(rows[table], 0), wanted, `${table}.${column}`);
        moved += wanted.length;
      }
    }
    assert.ok(moved > 40, `${moved} times`);
    assert.deepEqual(
      await readRollups(server.database, id),
      await countNaively(server.database, id, 'UTC'),
    );
    assert.deepEqual(
      (await readRowsOf(server.database, source.game_id)).leaderboard_entries,
      game_rows.leaderboard_entries,
    );
    assert.deepEqual((await readRowsOf(server.database, source.game_id)).games, game_rows.games);
  });

  /** Waits until the command runs a statement that begins so. */
  const untilCommandRuns = async (statement: string) => {
    const running = sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'active' AND application_name = 'overworld-cli'
        AND ltrim(query) LIKE ${`${statement}%`}`;
    while ((await server.database.execute(running)) === 0) await sleep(20);
  };

  test('keeps events of the fork in the inbox meanwhile, and those of no other game', async () => {
    const { game_id, fork } = await makeStudio();
    const game_key = await server.makeKey(game_id, 'production');
    const play = async (key: string, session_id: string) => {
      const body = { event_name: 'play', session_id, player_id: 'Erika' };
      assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
    };
    const countEvents = (id: string) =>
      selectCount(server.database.ofGame(id), sql`events WHERE game_id = ${id}`);
    const untilEvents = async (id: string, count: number) => {
      const until = performance.now() + 15_000;
      while ((await countEvents(id)) < count) {
        assert.ok(performance.now() < until, 'the events are not ingested');
        await sleep(20);
      }
    };
    await play(game_key, 'one');
    await untilEvents(game_id, 1);
    const copy = await fork('--players=100%');
    let moving: Promise<unknown> = Promise.resolve();
    await server.database.ofGame(copy.id).transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM players WHERE game_id = ${copy.id} FOR UPDATE`);
      moving = run('advance', copy.id, '--days=1');
      await untilCommandRuns('UPDATE players');
      await play(copy.key, 'two');
      await play(game_key, 'two');
      await untilEvents(game_id, 2);
      assert.equal(await countEvents(copy.id), 1);
    });
    await moving;
    await untilEvents(copy.id, 2);
    assert.deepEqual((await readRowsOf(server.database, copy.id)).event_holds, []);
    assert.deepEqual(
      await readRollups(server.database, copy.id),
      await countNaively(server.database, copy.id, 'UTC'),
    );
  });

  test('goes on when a server drops a month that events move into', async () => {
    const { game_id, fork } = await makeStudio();
    const body = { event_name: 'play', session_id: 'one', player_id: 'Erika' };
    const key = await server.makeKey(game_id, 'production');
    await server.request('POST', '/v1/track', { key, body });
    const game = server.database.ofGame(game_id);
    const source = sql`events WHERE game_id = ${game_id}`;
    while ((await selectCount(game, source)) === 0) await sleep(20);
    const copy = await fork('--players=100%');
    const group = server.database.ofGame(copy.id);
    await group.execute(sql`
      UPDATE events SET received_at = date_trunc('month', now()) WHERE game_id = ${copy.id}`);
    let moving: Promise<unknown> = Promise.resolve();
    await group.transaction(async (tx) => {
      // The command has made the month then, and waits.
      await joinIngest(tx);
      moving = run('advance', copy.id, '--days=1');
      await untilCommandRuns('SELECT pg_advisory_xact_lock');
      await dropExpiredPartitions(group, 0);
    });
    await moving;
    assert.deepEqual(
      await group.query(sql`
        SELECT received_at = date_trunc('month', now()) - interval '1 day' AS is_moved
        FROM events WHERE game_id = ${copy.id}`),
      [{ is_moved: true }],
    );
  });

  test('is refused for a game that is no fork, and for wrong days', async () => {
    const { game_id, fork } = await makeStudio();
    const copy = await fork();
    const refused = async (words: RegExp, ...args: string[]) => {
      const { code, stderr } = await call('advance', ...args);
      assert.equal(code, 1);
      assert.match(stderr, words);
    };
    await refused(
      /is no fork: only the clock of a game that overworld fork has made/,
      game_id,
      '--days=1',
    );
    await refused(/Give either --days.* or --to/, copy.id);
    await refused(/Give either --days.* or --to/, copy.id, '--days=1', '--to=1');
    await refused(/--days must be a whole number/, copy.id, '--days=1.5');
    await refused(/at most 366 days at once/, copy.id, '--days=367');
    await refused(/There is no game/, '7c9e6679-7425-40de-944b-e07fc1f90ae7', '--days=1');
    await run('advance', copy.id, '--days=2');
    await server.database.execute(sql`
      INSERT INTO event_exports (game_id, environment) VALUES (${copy.id}, 'production')`);
    await refused(/are exported as they come.*: fork the game anew/, copy.id, '--days=1');
    await refused(/is at day 2 already, and cannot be set back/, copy.id, '--to=1');
    assert.deepEqual((await readRowsOf(server.database, copy.id)).event_holds, []);
  });
});
