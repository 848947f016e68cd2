import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { ReleaseComparison } from '@overworld/contract/analytics/release-comparison';
import { startTestServer } from '../../../test/harness.ts';
import type { TestServer } from '../../../test/harness.ts';
import { waitForIngest } from '../../../test/inbox.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { countCases } from '../../../test/long-forms.ts';
import { sql } from '../../platform/database/sql.ts';
import { countRelease } from './test/naive-comparison.ts';
import type { ExportedEvent } from './test/naive-comparison.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const DAY_MINUTES = 1_440;
const VERSIONS = ['1.4.0', '1.5.0'] as const;

const anyEvent = fc.record({
  player: fc.nat({ max: 9 }),
  session: fc.nat({ max: 2 }),
  event_name: fc.constantFrom('session_start', 'session_start', 'crash', 'purchase', 'move'),
  app_version: fc.constantFrom(...VERSIONS, ...VERSIONS, '1.3.0', undefined),
  /** All events are sent at once, so most of them come late. */
  minutes_ago: fc.integer({ min: 0, max: 40 * DAY_MINUTES }),
  price: fc.integer({ min: 1, max: 9 }),
});

interface Sent {
  event_name: string;
  session_id: string;
  player_id: string;
  client_timestamp: string;
  properties: object;
}

async function makeStudio(time_zone: string) {
  const game = await server.makeGame();
  const { game_id } = game;
  await server.database.execute(
    sql`UPDATE games SET time_zone = ${time_zone} WHERE id = ${game_id}`,
  );
  const { token } = await server.makeAccount({ game_id, role: 'admin' });
  const path = `/v1/games/${game_id}`;
  const ask = async (method: string, rest: string, body?: object) => {
    const answer = await server.request(method, path + rest, { token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer;
  };
  return {
    game_id,
    ask,
    refuse: (query: string) =>
      server.request('GET', `${path}/releases/comparison?${query}`, { token }),
    async track(events: readonly Sent[]) {
      for (let at = 0; at < events.length; at += 100) {
        const body = events.slice(at, at + 100);
        const key = game.production_key;
        assert.equal((await server.request('POST', '/v1/track', { key, body })).status, 202);
      }
      await waitForIngest(server.database, game_id);
    },
    compare: async (more = ''): Promise<ReleaseComparison> =>
      (await ask('GET', `/releases/comparison?baseline=1.4.0&release=1.5.0${more}`)).body,
    /** Waits until all events of the merged player have moved. */
    waitForMerge: () =>
      waitUntil('the merge is complete', async () => {
        const { body } = await ask('GET', '/players/p1/merges');
        return body.merges.every(({ state }: { state: string }) => state === 'complete');
      }),
    async export(from: string): Promise<ExportedEvent[]> {
      const { text } = await ask('GET', `/events/export?format=ndjson&from=${from}`);
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
  };
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('each number of a comparison equals a count of the exported events', async () => {
  const time_zone = 'Australia/Lord_Howe';
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEvent, { minLength: 60, maxLength: 300 }),
      fc.constantFrom(1, 3, 7),
      async (events, days) => {
        const studio = await makeStudio(time_zone);
        await studio.ask('PUT', '/revenue-settings', {
          event_name: 'purchase',
          amount_property: 'price',
          currency: 'EUR',
        });
        const start = { event_name: 'session_start', session_id: 'known', player_id: 'known' };
        const sent = [
          ...VERSIONS.map((app_version, index) => ({
            ...start,
            client_timestamp: ago((30 - index * 10) * DAY_MINUTES),
            properties: { app_version },
          })),
          ...events.map(({ player, session, event_name, app_version, minutes_ago, price }) => ({
            event_name,
            session_id: `s${session} ${Math.floor(minutes_ago / 700)}`,
            player_id: `p${player}`,
            client_timestamp: ago(minutes_ago),
            properties: event_name === 'session_start' ? { app_version } : { price },
          })),
        ];
        await studio.track(sent);
        const seen = new Set(sent.map(({ player_id }) => player_id));
        if (seen.has('p0') && seen.has('p1')) {
          await studio.ask('POST', '/players/p1/merge', { from_player_id: 'p0' });
          await studio.waitForMerge();
        }
        if (seen.has('p2')) await studio.ask('DELETE', '/players/p2');
        const comparison = await studio.compare(
          `&days=${days}&event_names=${encodeURIComponent('["crash"]')}`,
        );
        const exported = await studio.export(ago(90 * DAY_MINUTES).slice(0, 10));
        assert.ok(!exported.some(({ player_id }) => player_id === 'p2'));
        const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone });
        for (const [index, release] of comparison.releases.entries()) {
          const { version, from, to } = release;
          const starts = sent
            .filter(
              ({ properties }) => (properties as Record<string, unknown>).app_version === version,
            )
            .map(({ client_timestamp }) => Date.parse(client_timestamp))
            .toSorted((a, b) => a - b);
          // The earliest 5 %, at most 99, may be strays.
          const strays = Math.min(99, Math.floor(starts.length / 20));
          assert.equal(from, format.format(starts[strays]));
          const naive = countRelease(exported, {
            version,
            from,
            to,
            days,
            time_zone,
            as_of: comparison.as_of,
            event_name: 'crash',
            amount_property: 'price',
          });
          assert.deepEqual(
            [release.players, release.new_players],
            [naive.players, naive.new_players],
          );
          for (const { kind, releases } of comparison.metrics) {
            const values = naive[kind];
            const { players, mean } = releases[index]!;
            assert.equal(players, values.length, `${version} ${kind}`);
            const expected = values.reduce((sum, value) => sum + value, 0) / values.length;
            if (players === 0) assert.equal(mean, null);
            else assert.ok(Math.abs(mean! - expected) < 1e-9, `${kind}: ${mean} ${expected}`);
            compared += players;
          }
        }
      },
    ),
    { numRuns: countCases(15), endOnFailure: true },
  );
  assert.ok(compared > 100);
});

/** Players who begin with a version on one day, of whom a part comes back on the next day. */
function makePlayers(
  app_version: string,
  { days_ago, count, returning }: Record<'days_ago' | 'count' | 'returning', number>,
): Sent[] {
  const at = (day: number, minute: number) => ago((days_ago - day) * DAY_MINUTES - minute);
  return Array.from({ length: count }, (_, index) => `${app_version}-${index}`).flatMap(
    (player_id, index) => {
      const event = (event_name: string, day: number, properties = {}) => ({
        event_name,
        session_id: `${player_id}-${day}`,
        player_id,
        client_timestamp: at(day, 1),
        properties,
      });
      const start = (day: number) => event('session_start', day, { app_version });
      return [
        start(0),
        ...(index < returning ? [start(1)] : []),
        ...(app_version === '1.5.0' && index % 2 === 0 ? [event('crash', 0)] : []),
      ];
    },
  );
}

test('a comparison tells what is more than noise, and chooses days and events by itself', async () => {
  const studio = await makeStudio('UTC');
  await studio.track([
    ...makePlayers('1.4.0', { days_ago: 15, count: 300, returning: 210 }),
    ...makePlayers('1.5.0', { days_ago: 5, count: 300, returning: 60 }),
  ]);
  const { releases, metrics, days } = await studio.compare();
  assert.equal(days, 3);
  assert.deepEqual(
    releases.map(({ players, new_players }) => [players, new_players]),
    [
      [300, 300],
      [300, 300],
    ],
  );
  const verdicts = Object.fromEntries(
    metrics.map(({ kind, event_name, verdict }) => [event_name ?? kind, verdict]),
  );
  assert.deepEqual(verdicts, {
    adoption: 'no_variance',
    retention_day_1: 'lower',
    retention_day_7: 'too_few',
    sessions: 'lower',
    session_seconds: 'no_variance',
    crash: 'higher',
  });
  const retention = metrics.find(({ kind }) => kind === 'retention_day_1')!;
  assert.ok(Math.abs(retention.difference! + 0.5) < 1e-9);
  assert.ok(retention.interval!.low < -0.5 && retention.interval!.high > -0.5);
});

test('a comparison of unknown or equal versions is refused', async () => {
  const studio = await makeStudio('UTC');
  await studio.track(makePlayers('1.4.0', { days_ago: 2, count: 1, returning: 0 }));
  for (const [query, status, error] of [
    ['release=1.4.0', 400, 'baseline is required'],
    ['baseline=1.4.0&release=1.4.0', 400, 'release must differ from baseline'],
    ['baseline=1.4.0&release=9', 404, 'Release 9 not found'],
    ['baseline=1.4.0&release=9&event_names=[1]', 400, /^event_names must be a JSON list/],
    ['baseline=1.4.0&release=9&event_names=x', 400, /^event_names/],
    ['baseline=1.4.0&release=9&days=8', 400, 'days must be at most 7'],
  ] as const) {
    const answer = await studio.refuse(query);
    assert.equal(answer.status, status, query);
    if (typeof error === 'string') assert.equal(answer.body.error, error);
    else assert.match(answer.body.error, error);
  }
});
