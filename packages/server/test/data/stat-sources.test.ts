import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { pauseIngest } from '../../src/features/events/inbox/ingest.ts';
import { askRecount } from '../../src/features/reports/rollups/rebuild-hold.ts';
import { rebuildGame } from '../../src/features/reports/rollups/rebuilder.ts';
import { foldOldHours } from '../../src/features/stats/folding.ts';
import { recountStats } from '../../src/features/stats/sources/recount.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { makeStatStudio } from '../../src/features/stats/test/stat-studio.ts';
import type { StatStudio } from '../../src/features/stats/test/stat-studio.ts';
import type { TestServer } from '../harness.ts';
import { waitForIngest } from '../inbox.ts';
import { useTwoServers } from '../two-servers.ts';
import { waitUntil } from '../wait-until.ts';

interface Sent {
  player_id?: string;
  event_name?: string;
  properties?: object;
  /** Hours before now. */
  ago?: number;
}

suite('statistics that events move', () => {
  const nodes = useTwoServers();
  let server: TestServer;
  before(() => {
    [server] = nodes;
  });

  const track = async (studio: StatStudio, events: readonly Sent[], node = server) => {
    const body = events.map(({ player_id = 'p', event_name = 'win', properties, ago }) => ({
      event_name,
      session_id: 's',
      player_id,
      properties,
      client_timestamp:
        ago === undefined ? undefined : new Date(Date.now() - ago * 3_600_000).toISOString(),
    }));
    const { status, text } = await node.request('POST', '/v1/track', {
      key: studio.production_key,
      body,
    });
    assert.equal(status, 202, text);
  };
  const ingested = ({ game_id }: StatStudio) => waitForIngest(server.database, game_id);
  const counted = (studio: StatStudio) =>
    waitUntil('all statistics are counted', async () => {
      const { body } = await studio.steer('GET', '/stats');
      return body.stats.every(({ is_counting }: { is_counting: boolean }) => !is_counting);
    });
  const source = (more: object = {}) => ({ source: { event_name: 'win', ...more } });
  const ALL = {
    wins: source(),
    hard: source({ conditions: [{ property: 'level', operator: 'gte', value: 5 }] }),
    gold: source({ property: 'gold' }),
    most: { aggregation: 'max', ...source({ property: 'gold' }) },
    least: { aggregation: 'min', ...source({ property: 'gold' }) },
    last: { aggregation: 'latest', ...source({ property: 'gold' }) },
  };
  const PLAYED: Sent[] = [
    { properties: { gold: 2.5, level: 7 }, ago: 1 },
    { properties: { gold: 1, level: '9' }, ago: 30 },
    { properties: { gold: 10, level: 5 }, ago: 5 },
    { properties: { gold: 'many' } },
    { event_name: 'loss', properties: { gold: 100 } },
  ];
  const VALUES = { wins: 4, hard: 2, gold: 13.5, most: 10, least: 1, last: 2.5 };

  test('count events and numbers of their properties, by the times of the events', async () => {
    const studio = await makeStatStudio(server, ALL);
    await counted(studio);
    for (const event of PLAYED) await track(studio, [event]);
    await track(studio, [{ player_id: 'other' }]);
    await ingested(studio);
    assert.deepEqual(await studio.valuesOf('p'), VALUES);
    assert.deepEqual(await studio.valuesOf('other'), { wins: 1 });
    const wins = (await studio.listHours('p')).filter(({ key }) => key === 'wins');
    assert.equal(wins.length, 4);
  });

  test('are changed neither by calls nor by staff', async () => {
    const studio = await makeStatStudio(server, { wins: source(), coins: 'sum' });
    await counted(studio);
    const refused = await studio.change('p', { coins: 1, wins: 1 });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.error, 'changes[1].key: wins is moved by events alone');
    await track(studio, [{}]);
    await ingested(studio);
    const set = { value: 5, reason: 'No' };
    assert.equal((await studio.steer('PUT', '/players/p/stats/wins', set)).status, 409);
    assert.deepEqual(await studio.valuesOf('p'), { wins: 1 });
  });

  test('are counted from stored events when they are made, and again when their source changes', async () => {
    const studio = await makeStatStudio(server);
    await track(studio, PLAYED);
    await ingested(studio);
    for (const [key, fields] of Object.entries(ALL)) {
      const made = await studio.steer('POST', '/stats', { key, name: key, ...fields });
      assert.equal(made.status, 201, made.text);
      await track(studio, [{ player_id: 'meanwhile', properties: { gold: 1 } }]);
      await counted(studio);
    }
    await ingested(studio);
    assert.deepEqual(await studio.valuesOf('p'), VALUES);
    assert.equal((await studio.valuesOf('meanwhile')).wins, 6);
    await studio.listHours('p');
    const changed = await studio.steer('PATCH', '/stats/wins', {
      source: { event_name: 'loss', property: 'gold' },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.body.is_counting, true);
    await counted(studio);
    assert.equal((await studio.valuesOf('p')).wins, 100);
    assert.equal((await studio.valuesOf('meanwhile')).wins, undefined);
    const archive = (archived: boolean) => studio.steer('PATCH', '/stats/wins', { archived });
    assert.equal((await archive(true)).status, 200);
    await track(studio, [{ event_name: 'loss', properties: { gold: 1 } }]);
    await ingested(studio);
    assert.equal((await archive(false)).status, 200);
    await counted(studio);
    assert.equal((await studio.valuesOf('p')).wins, 101);
  });

  test('are counted alone when their source is new, unless somebody asks for a rebuild', async () => {
    const studio = await makeStatStudio(server, { wins: source() });
    const { game_id } = studio;
    await counted(studio);
    await track(studio, [{ properties: { gold: 3 } }, {}]);
    await ingested(studio);
    const { database } = server;
    // Wrong numbers tell what was counted anew.
    const falsify = async () => {
      await database.execute(
        sql`UPDATE daily_event_counts SET event_count = 77 WHERE game_id = ${game_id}`,
      );
      await database.execute(sql`
        UPDATE player_stats SET value = 77 WHERE game_id = ${game_id} AND key = 'wins'`);
    };
    const readWins = async () => {
      const [row] = await database.query<{ event_count: number }>(sql`
        SELECT event_count FROM daily_event_counts WHERE game_id = ${game_id}`);
      return [row!.event_count, (await studio.valuesOf('p')).wins];
    };
    const make = async (key: string) => {
      const body = { key, name: key, ...source({ property: 'gold' }) };
      const made = await studio.steer('POST', '/stats', body);
      assert.equal(made.status, 201, made.text);
    };
    await falsify();
    await make('gold');
    await counted(studio);
    assert.deepEqual([await readWins(), (await studio.valuesOf('p')).gold], [[77, 77], 3]);

    const group = database.ofGame(game_id);
    // The server may take the row first, and then the rebuild comes after.
    await make('more');
    assert.equal(await rebuildGame(group, pauseIngest, { game_id, recountStats }), true);
    assert.deepEqual([await readWins(), (await studio.valuesOf('p')).more], [[2, 2], 3]);

    // A game that is deleted meanwhile keeps nothing waiting.
    await group.execute(
      sql`INSERT INTO event_holds (game_id, for_stats) VALUES (${randomUUID()}, true)`,
    );
    await waitUntil('no row is left', async () => {
      const [row] = await group.query<{ count: number }>(
        sql`SELECT count(*) AS count FROM event_holds WHERE for_stats`,
      );
      return row!.count === 0;
    });
  });

  test('are counted although a rebuild ends while their source is made', async () => {
    const { game_id } = await makeStatStudio(server, {});
    const read = sql`SELECT for_stats FROM event_holds WHERE game_id = ${game_id}`;
    const seen = new Error('The rows are seen');
    let calls = 0;
    const asked = server.database.ofGame(game_id).transaction(async (tx) => {
      // The first call finds the row of a rebuild, which has been deleted by the next statement.
      await askRecount(tx, game_id, async (...args) => calls++ > 0 && pauseIngest(...args));
      assert.deepEqual(await tx.query(read), [{ for_stats: true }]);
      await askRecount(tx, game_id, pauseIngest);
      throw seen;
    });
    await assert.rejects(asked, seen);
  });

  test('stay the same in a rebuild, after hours were folded, players merged and players erased', async () => {
    const studio = await makeStatStudio(server, ALL);
    await counted(studio);
    const key = await server.makeKey(studio.game_id, 'production', 'server');
    await track(studio, PLAYED);
    await track(studio, [{ player_id: 'ends', properties: { gold: 20, level: 9 }, ago: 900 }]);
    await track(studio, [{ player_id: 'gone' }]);
    await ingested(studio);
    const merged = await server.request('POST', '/v1/players/p/merge', {
      key,
      body: { from_player_id: 'ends' },
    });
    assert.equal(merged.status, 200, merged.text);
    assert.equal((await server.request('POST', '/v1/players/gone/erase', { key })).status, 204);
    // An event that names the ended player counts for the one who stays.
    await track(studio, [{ player_id: 'ends', properties: { gold: 0.5 }, ago: 2 }]);
    await ingested(studio);
    const values = { wins: 6, hard: 3, gold: 34, most: 20, least: 0.5, last: 2.5 };
    const check = async () => {
      assert.deepEqual(await studio.valuesOf('p'), values);
      assert.deepEqual(await studio.valuesOf('ends'), {});
      assert.deepEqual(await studio.valuesOf('gone'), {});
      await studio.listHours('p');
    };
    await check();
    const database = server.database.ofGame(studio.game_id);
    const rebuild = () =>
      rebuildGame(database, pauseIngest, { game_id: studio.game_id, recountStats });
    await foldOldHours(database);
    await check();
    await rebuild();
    await check();
    await foldOldHours(database);
    await rebuild();
    await check();
  });

  test('are exact while two servers ingest events of the same players', async () => {
    const studio = await makeStatStudio(server, {
      wins: source(),
      gold: source({ property: 'gold' }),
    });
    await counted(studio);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        track(
          studio,
          Array.from({ length: 10 }, (__, n) => ({
            player_id: `p${n % 4}`,
            properties: { gold: 0.1 },
            ago: index,
          })),
          nodes[index % 2],
        ),
      ),
    );
    await ingested(studio);
    for (const [number, wins] of [120, 120, 80, 80].entries()) {
      assert.deepEqual(await studio.valuesOf(`p${number}`), { wins, gold: wins / 10 });
    }
    await studio.listHours('p0');
  });

  test('unlock achievements by their rules', async () => {
    const studio = await makeStatStudio(server, { wins: source() });
    await counted(studio);
    const made = await studio.steer('POST', '/achievements', {
      key: 'champion',
      name: 'Champion',
      unlock_when: [{ stat: 'wins', at_least: 3 }],
    });
    assert.equal(made.status, 201, made.text);
    const list = async () => {
      const { body } = await server.request('GET', '/v1/achievements?player_id=p', {
        key: studio.production_key,
      });
      const [{ unlocked, progress }] = body.achievements;
      return { unlocked, progress };
    };
    await track(studio, [{}, {}]);
    await ingested(studio);
    assert.deepEqual(await list(), { unlocked: false, progress: { current: 2, target: 3 } });
    await track(studio, [{}]);
    await ingested(studio);
    assert.deepEqual(await list(), { unlocked: true, progress: { current: 3, target: 3 } });
  });

  test('have no bounds, and conditions and a property that fit', async () => {
    const studio = await makeStatStudio(server, { coins: 'sum' });
    await studio.change('p', { coins: 1 });
    for (const [fields, error] of [
      [{ minimum: 0, ...source() }, /minimum must be null with a source/],
      [{ max_change: 1, ...source() }, /max_change must be null with a source/],
      [{ writes_from: 'server', ...source() }, /writes_from must be anyone with a source/],
      [{ aggregation: 'max', ...source() }, /source\.property is required/],
      [source({ proprety: 'x' }), /source.*proprety/],
      [
        source({ conditions: [{ property: 'x', operator: 'gte', value: true }] }),
        /source\.conditions\[0\]\.value must be a number or a string/,
      ],
      [{ source: { event_name: '' } }, /event_name must not be empty/],
    ] as const) {
      const answer = await studio.steer('POST', '/stats', { key: 'x', name: 'X', ...fields });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.error, error);
    }
    const late = await studio.steer('PATCH', '/stats/coins', source());
    assert.equal(late.status, 409);
    assert.match(late.body.error, /source cannot be set, because players have values/);
  });
});
