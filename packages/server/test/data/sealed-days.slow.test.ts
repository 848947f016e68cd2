import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { countCases } from '../long-forms.ts';
import { makeMergeClient } from '../../src/features/players/test/merge-client.ts';
import { createSealedEvents } from '../../src/features/reports/sealed/reader.ts';
import { runSeals } from '../../src/features/reports/sealed/seal-run.ts';
import {
  insertPastEvents,
  readRows,
  readSealed,
} from '../../src/features/reports/sealed/test/sealed-game.ts';
import { unsealGame } from '../../src/features/reports/sealed/unseal.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import { startTestServer } from '../harness.ts';
import { daysAgo } from '../past-day.ts';
import { waitForIngest } from '../inbox.ts';

const ROUNDS = countCases(12);
const DAYS = [2, 3, 4, 5];
const PROPERTIES = ['level', 'text'];
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

test('sealed days are those of the rows beside merges, erasures, late events and rebuilds', async () => {
  await using server = await startTestServer();
  const client = await makeMergeClient(server);
  const { game_id } = client.game;
  const { token } = await server.makeAccount({ game_id });
  const game = server.database.ofGame(game_id);
  const tenant = { game_id, environment: 'production' as const };
  const readers = [createSealedEvents(), createSealedEvents()];
  let made = 0;
  let players: string[] = [];
  const erased: string[] = [];

  const addDay = async (days: number) => {
    const own = Array.from({ length: 40 }, () => `p${made++}`);
    for (const id of own) await client.identify(id);
    players.push(...own);
    const events = Array.from({ length: 900 }, (_, index) => ({
      event_name: pick(['a', 'b', 'c']),
      player_id: pick([...players, ...own, null]),
      session_id: `s${index % 25}`,
      properties: JSON.stringify({ level: index % 9, text: pick(['x', 1, 1.5, null, [index]]) }),
    }));
    await game.transaction((tx) => unsealGame(tx, game_id));
    await insertPastEvents(server, game_id, daysAgo(days), events);
    // By hand, so the days may have been sealed without them.
    await game.transaction((tx) => unsealGame(tx, game_id));
  };
  const changes = {
    async merge() {
      const [to, from_player_id] = [pick(players), pick(players)];
      if (to === from_player_id) return;
      const { status, text } = await client.merge(to, { from_player_id });
      assert.ok([200, 404, 409, 503].includes(status), text);
      if (status === 200) players = players.filter((id) => id !== from_player_id);
    },
    async erase() {
      const id = pick(players);
      const path = `/v1/games/${game_id}/players/${id}`;
      const { status, text } = await server.request('DELETE', path, { token });
      assert.ok([204, 404, 409, 503].includes(status), text);
      if (status !== 204) return;
      erased.push(id);
      players = players.filter((other) => other !== id);
      const left = await game.query(sql`
        SELECT number FROM sealed_players WHERE game_id = ${game_id} AND player_id = ${id}`);
      assert.deepEqual(left, []);
    },
    async late() {
      const body = [{ event_name: pick(['a', 'd']), session_id: 's', player_id: pick(players) }];
      await game.execute(sql`
        INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
        VALUES (${game_id}, 'production', ${randomUUID()}, ${`${daysAgo(pick(DAYS))}T12:00:00Z`}, 1,
                ${JSON.stringify(body)})`);
    },
    rebuild: () => game.transaction((tx) => unsealGame(tx, game_id)),
  };
  const kinds = ['merge', 'merge', 'merge', 'late', 'erase', 'rebuild'] as const;

  let sealed_days = 0;
  let in_the_middle = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await addDay(pick(DAYS));
    const round_state = { is_over: false };
    const seal = async () => {
      while (!round_state.is_over) {
        const options = { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 };
        const { days, changed } = await runSeals(server.database, options);
        sealed_days += days;
        in_the_middle += changed;
        await sleep(5);
      }
    };
    const sealing = seal();
    for (let change = 0; change < 10; change++) {
      await Promise.all([changes[pick(kinds)](), sleep(60 * Math.random())]);
    }
    await waitForIngest(game, game_id);
    round_state.is_over = true;
    await sealing;
    for (const reader of readers.slice(0, 1 + (round % 2))) {
      const { days, events, refused } = await readSealed(reader, game, tenant, PROPERTIES);
      assert.deepEqual(refused, []);
      const rows = await readRows(reader, game, tenant, PROPERTIES);
      const known = new Set(events.map(([id]) => id));
      assert.deepEqual(
        events,
        rows.filter(([id]) => known.has(id)),
        `round ${round}`,
      );
      const counted = await game.queryOne<{ count: number }>(sql`
        SELECT count(*) AS count FROM events
        WHERE game_id = ${game_id}
          AND (received_at AT TIME ZONE 'UTC')::date = ANY(${days}::date[])`);
      assert.equal(events.length, counted!.count, `round ${round}`);
    }
  }
  assert.ok(sealed_days > ROUNDS, `${sealed_days} sealed, ${in_the_middle} changed`);
  assert.ok(erased.length > 0);
});
