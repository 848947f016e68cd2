import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { makeMergeClient } from '../../src/features/players/test/merge-client.ts';
import { countPlainly } from '../../src/features/reports/test/naive-counts.ts';
import type { Counted } from '../../src/features/reports/test/naive-counts.ts';
import { dayBefore, openReports } from '../../src/features/reports/test/random-game.ts';
import type { Player } from '../../src/features/reports/test/random-game.ts';
import { createSealedEvents } from '../../src/features/reports/sealed/reader.ts';
import { runSeals } from '../../src/features/reports/sealed/seal-run.ts';
import { listSealed } from '../../src/features/reports/sealed/test/sealed-game.ts';
import { unsealGame } from '../../src/features/reports/sealed/unseal.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { joinIngest } from '../../src/platform/ingest-lock.ts';
import { startTestServer } from '../harness.ts';
import type { TestServer } from '../harness.ts';
import { waitForIngest } from '../inbox.ts';
import { countCases } from '../long-forms.ts';
import { makeTestPartition } from '../past-day.ts';
import type { TestAnswer } from '../test-request.ts';
import { waitUntil } from '../wait-until.ts';

/**
 * A month of random events, which changes while some of its days are sealed: late events arrive, players are merged
 * and erased, and the game moves to another time zone. After each change, three servers must give the same answers,
 * which are those from rows and those of a plain count.
 */

const SERVERS = 3;
const PLAYERS = 12;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati'];

const servers: TestServer[] = [];
before(async () => {
  servers.push(await startTestServer());
  const { database_url } = servers[0]!;
  while (servers.length < SERVERS) servers.push(await startTestServer({ database_url }));
});
after(async () => {
  for (const server of servers.toReversed()) await server.close();
});

const anyEvent = fc.record({
  event_name: fc.constantFrom('open', 'open', 'buy', 'end', 'rare'),
  player: fc.option(fc.nat({ max: PLAYERS - 1 }), { freq: 9 }),
  session_id: fc.constantFrom('s1', 's2', 's3', 's4'),
  // Sessions over midnight, and events that an offline device sent later.
  late_minutes: fc.constantFrom(0, 0, 0, 7, 20, 45, 13 * 60, 30 * 60, 11 * 24 * 60),
  level: fc.option(fc.constantFrom('1', '2', '3', '"3"', 'null', '1.50'), { freq: 5 }),
  price: fc.constantFrom('0.99', '4.99', '10', '-1', '"9"'),
});
type AnyEvent = typeof anyEvent extends fc.Arbitrary<infer T> ? T : never;

/** Events that a server receives in one request. */
const anyRequest = fc.record({
  minutes_ago: fc.integer({ min: 0, max: 31 * 24 * 60 }),
  events: fc.array(anyEvent, { minLength: 1, maxLength: 12 }),
});
type AnyRequest = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never;

const anyChange = fc.oneof(
  fc.record({
    kind: fc.constant('late' as const),
    sent: fc.array(anyRequest, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('merge' as const), to: fc.nat(), from: fc.nat() }),
  fc.record({ kind: fc.constant('erase' as const), player: fc.nat() }),
  fc.record({ kind: fc.constant('zone' as const), time_zone: fc.constantFrom(...ZONES) }),
);

const GERMANS = { players: { values: [{ property: 'country', value: 'de' }] } };
const BY_COUNTRY = { split_by: 'property:country' };
const BOUGHT = {
  event_name: 'buy',
  filter: [{ property: 'price', operator: 'gt', value: 1 }],
  at_least: 2,
};
const FUNNEL = {
  steps: [{ event_name: 'open' }, { event_name: 'buy' }, { event_name: 'end' }],
  window_minutes: 4_000,
};
const PATH = { event_name: 'open', steps: 3, limit: 2 };

/** The first six are counted plainly too. */
const QUESTIONS: [report: string, query: Record<string, unknown>][] = [
  ['breakdown', { event_name: 'open', group_by: 'level', limit: 20 }],
  ['events', { ...GERMANS, by: 'day' }],
  ['segment', { events: [BOUGHT], limit: 100 }],
  ['funnel', FUNNEL],
  ['path', PATH],
  ['path', { ...PATH, window_hours: 30 }],
  ['breakdown', { event_name: 'buy', property: 'price', group_by: 'level', ...GERMANS }],
  ['funnel', { ...FUNNEL, breakdown: 'level' }],
  ['funnel', { ...FUNNEL, ...BY_COUNTRY }],
  ['path', { event_name: 'buy', direction: 'previous', repeats: 'keep', ...BY_COUNTRY }],
  ['revenue', BY_COUNTRY],
  ['revenue', {}],
  ['events', { ...BY_COUNTRY, event_name: 'open' }],
  ['retention', GERMANS],
  ['sessions', GERMANS],
  ['active-players', BY_COUNTRY],
  ['segment', { events: [{ event_name: 'rare', did: false }], limit: 100 }],
  ['segment', { cell: { report: 'funnel', ...FUNNEL, step: 2, outcome: 'stopped' } }],
  ['segment', { cell: { report: 'events', event_name: 'open', property: 'level', value: '3' } }],
  ['segment', { cell: { report: 'revenue' } }],
];

/** What a test knows of its game. No two events are at the same time. */
class Model {
  readonly players = Array.from({ length: PLAYERS }, (_, index) => `p${index}`);
  readonly germans = new Set(this.players.filter((_, index) => index % 2 === 0));
  events: Counted[] = [];
  time_zone = 'UTC';
  readonly #times = new Set<number>();

  /** Adds events of players who are there. @returns the time of receipt, and the body of the request. */
  receive({ minutes_ago, events }: AnyRequest) {
    const at_ms = Date.now() - minutes_ago * 60_000 - 60_000;
    const added = events.map((event) => this.#add(at_ms, event));
    this.events.push(...added);
    const bodies = added.map(
      ({ player_id, event_name, session_id, properties, at_ms: occurred }) => {
        const members = Object.entries(properties).map(([name, json]) => `"${name}":${json}`);
        const sent = { event_name, session_id, player_id, client_timestamp: toTime(occurred) };
        return `{${JSON.stringify(sent).slice(1, -1)},"properties":{${members.join()}}}`;
      },
    );
    return { received_at: toTime(at_ms), body: `[${bodies.join()}]`, count: added.length };
  }

  #add(received_ms: number, { player, late_minutes, level, price, ...event }: AnyEvent): Counted {
    let at_ms = received_ms - late_minutes * 60_000;
    while (this.#times.has(at_ms)) at_ms--;
    this.#times.add(at_ms);
    return {
      ...event,
      at_ms,
      player_id: player === null ? null : this.playerAt(player),
      properties: { price, ...(level !== null && { level }) },
    };
  }

  playerAt = (index: number): string => this.players[index % this.players.length]!;

  merge(to: string, from: string) {
    this.players.splice(this.players.indexOf(from), 1);
    for (const event of this.events) if (event.player_id === from) event.player_id = to;
  }

  erase(player: string) {
    this.players.splice(this.players.indexOf(player), 1);
    this.events = this.events.filter(({ player_id }) => player_id !== player);
  }
}

const toTime = (ms: number) => new Date(ms).toISOString();
const [from, to] = [dayBefore(20), dayBefore(1)];

async function makeMonth() {
  const [server] = servers as [TestServer];
  const client = await makeMergeClient(server);
  const { game } = client;
  const { game_id } = game;
  const database = server.database.ofGame(game_id);
  const model = new Model();
  for (const player_id of model.players) {
    const properties = { country: model.germans.has(player_id) ? 'de' : 'fr' };
    assert.equal((await client.identify(player_id, properties)).status, 200);
  }
  const reports = await Promise.all(servers.map((each) => openReports(each, game)));
  const { path } = reports[0]!;
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const settings = { event_name: 'buy', amount_property: 'price', currency: 'EUR' };
  const put = await server.request('PUT', `${path}/revenue-settings`, { token, body: settings });
  assert.equal(put.status, 200, put.text);

  const receive = async (requests: readonly AnyRequest[]) => {
    for (const request of requests) {
      const { received_at, body, count } = model.receive(request);
      await makeTestPartition(server, received_at.slice(0, 10));
      await database.execute(sql`
        INSERT INTO event_inbox (game_id, environment, key_id, received_at, event_count, body)
        VALUES (${game_id}, 'production', ${randomUUID()}, ${received_at}, ${count}, ${body})`);
    }
    await waitForIngest(database, game_id);
  };

  return {
    model,
    receive,
    async merge(to_player: string, from_player_id: string) {
      const { status, text } = await client.merge(to_player, { from_player_id }, servers[1]);
      assert.equal(status, 200, text);
      await client.waitForEvents(to_player);
      model.merge(to_player, from_player_id);
    },
    async erase(player_id: string) {
      const gone = await servers[2]!.request('DELETE', `${path}/players/${player_id}`, { token });
      assert.equal(gone.status, 204, gone.text);
      model.erase(player_id);
    },
    async moveTo(time_zone: string) {
      const body = { time_zone };
      const moved = await servers[1]!.request('PATCH', path, { token, body });
      assert.equal(moved.status, 200, moved.text);
      await waitUntil('the days have moved', async () => {
        const { body: shown } = await server.request('GET', path, { token });
        return shown.time_zone_change === null;
      });
      model.time_zone = time_zone;
    },
    seal: () =>
      runSeals(server.database, { joinIngest, retention_days: 0, min_events: 1, rest_times: 0 }),
    unseal: () => database.transaction((tx) => unsealGame(tx, game_id)),
    async countSealed() {
      const tenant = { game_id, environment: 'production' as const };
      const { days } = await listSealed(createSealedEvents(), database, tenant);
      return days.length;
    },
    /** Asks all questions, one after the other. */
    async ask(number: number) {
      const answers: Answer[] = [];
      for (const [report, query] of QUESTIONS) {
        const cell = query.cell === undefined ? {} : { cell: { ...query.cell, from, to } };
        const answer = await reports[number]!.get(report, { ...query, ...cell });
        // When a player was seen last is stored some time later.
        const isMoving = (name: string) => name === 'last_seen_at';
        const text = JSON.stringify(answer, (name, json) => (isMoving(name) ? null : json));
        answers.push(JSON.parse(text));
      }
      return answers;
    },
  };
}

type Answer = TestAnswer['body'];
interface Part {
  value: string | null;
  share: number;
  [count: string]: unknown;
}

/** Shows the first answers as `countPlainly` does. */
function showPlainly([breakdown, events, segment, funnel, ...paths]: readonly Answer[]) {
  const withoutShares = (list: readonly Part[]) => list.map(({ share: _, ...counts }) => counts);
  const nameOf = ({ value }: Pick<Part, 'value'>) => value ?? '';
  const groups = (breakdown.groups as readonly Part[]).map((group) => ({
    value: group.value,
    events: group.events,
    players: group.players,
  }));
  const counts = events.counts as readonly number[];
  return {
    breakdown: groups.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    events: counts.flatMap((count, index) => (count === 0 ? [] : [[events.periods[index], count]])),
    segment: (segment.players as readonly Player[]).map(({ player_id }) => player_id).toSorted(),
    funnel: (funnel.steps as readonly Part[]).map(({ players }) => players),
    path: paths.slice(0, 2).map(({ unit, count, steps, links, paths: whole }) => ({
      unit,
      count,
      steps: steps.map(withoutShares),
      links: withoutShares(links),
      paths: withoutShares(whole),
    })),
  };
}

test('three servers count a month of events from sealed days as from rows and as a plain count, through every change', async () => {
  let sealed_days = 0;
  const run = fc.asyncProperty(
    fc.array(anyRequest, { minLength: 120, maxLength: 160 }),
    fc.array(fc.array(anyChange, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 3 }),
    async (requests, rounds) => {
      const month = await makeMonth();
      const { model } = month;
      await month.receive(requests);
      for (const [round, changes] of [[], ...rounds].entries()) {
        await month.seal();
        assert.ok((await month.countSealed()) > 20);
        for (const change of changes) {
          if (change.kind === 'late') await month.receive(change.sent);
          if (change.kind === 'zone') await month.moveTo(change.time_zone);
          if (model.players.length < 4) continue;
          if (change.kind === 'erase') await month.erase(model.playerAt(change.player));
          if (change.kind !== 'merge') continue;
          const into = model.playerAt(change.to);
          const others = model.players.filter((player) => player !== into);
          await month.merge(into, others[change.from % others.length]!);
        }
        const when = `round ${round}: ${changes.map(({ kind }) => kind).join()}`;
        sealed_days += await month.countSealed();
        const answers = await Promise.all(servers.map((_, number) => month.ask(number)));
        const { events, time_zone, germans } = model;
        const counted = countPlainly({ events, time_zone, from, to }, germans);
        assert.deepEqual(showPlainly(answers[0]!), counted, when);
        await month.unseal();
        const from_rows = await month.ask(round % SERVERS);
        for (const [number, from_columns] of answers.entries()) {
          for (const [index, [report, query]] of QUESTIONS.entries()) {
            const about = `${when}: ${report} ${JSON.stringify(query)} on server ${number}`;
            assert.deepEqual(from_columns[index], from_rows[index], about);
          }
        }
      }
    },
  );
  await fc.assert(run, { numRuns: countCases(5), endOnFailure: true });
  assert.ok(sealed_days > 0);
});
