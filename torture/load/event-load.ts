import { randomUUID } from 'node:crypto';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import {
  countNaively,
  readRollups,
} from '../../packages/server/src/features/reports/test/naive-rollups.ts';
import type { Rollups } from '../../packages/server/src/features/reports/test/naive-rollups.ts';
import type { Random } from '../random.ts';
import type { Answer, HttpRequest } from './connection.ts';
import type { Scene, Step, Workload } from './workload.ts';

/**
 * The states of an event that was sent. The server may or
 * may not have stored an event in the state `UNKNOWN`.
 */
const ABSENT = 0;
const STORED = 1;
const UNKNOWN = 2;

interface TrackRequest {
  /**
   * The number of the first event in the request. The request has `count` events with consecutive numbers.
   */
  first: number;
  count: number;
  request: HttpRequest;
  idempotent: boolean;
}

const HOUR_MS = 3_600_000;

export interface EventLoad extends Workload {
  /** The number of acknowledged events, and the number of events that were refused because of the quota. */
  readonly acknowledged: number;
  readonly refused: number;
}

/**
 * Makes a load that sends numbered events: single events, batches, and requests with an Idempotency-Key,
 * which are repeated until they are answered.
 */
export function createEventLoad(random: Random, max_batch: number): EventLoad {
  const expected: number[] = [];
  const retries: TrackRequest[] = [];
  let unknown: TrackRequest[] = [];
  let acknowledged = 0;
  let refused = 0;

  const makeEvent = (client: number): string => {
    const n = expected.push(ABSENT) - 1;
    const player = random.below(20);
    const event = {
      event_name: random.pick(['level_complete', 'purchase', 'session_start']),
      session_id: `s-${client}-${player}-${Math.floor(n / 5_000)}`,
      ...(player === 0 ? {} : { player_id: `p-${client}-${player}` }),
      properties: { n },
      ...(random.below(3) === 0 ? {} : { client_timestamp: chooseTimestamp(random) }),
    };
    return JSON.stringify(event);
  };

  const makeRequest = (client: number): TrackRequest => {
    const count = random.below(3) === 0 ? 1 + random.below(max_batch) : 1;
    const first = expected.length;
    const events = Array.from({ length: count }, () => makeEvent(client));
    const idempotent = random.below(4) === 0;
    const body = count === 1 && random.below(2) === 0 ? events[0]! : `[${events.join(',')}]`;
    const headers = idempotent ? { 'idempotency-key': randomUUID() } : undefined;
    return {
      first,
      count,
      idempotent,
      request: { method: 'POST', path: '/v1/track', body, headers },
    };
  };

  const expect = ({ first, count }: TrackRequest, received: number) => {
    for (let place = 0; place < count; place++) {
      expected[first + place] = place < received ? STORED : ABSENT;
    }
  };

  const note = (track: TrackRequest, answer: Answer | null): string | null => {
    if (answer === null) {
      for (let place = 0; place < track.count; place++) expected[track.first + place] = UNKNOWN;
      (track.idempotent ? retries : unknown).push(track);
      return null;
    }
    if (answer.status === 429) {
      expect(track, 0);
      refused += track.count;
      return null;
    }
    const { received } = JSON.parse(answer.body) as { received: number };
    expect(track, received);
    acknowledged += received;
    refused += track.count - received;
    return null;
  };

  const compare = (numbers: readonly number[]): string[] => {
    const problems: string[] = [];
    const counts = new Uint8Array(expected.length);
    for (const n of numbers) counts[n]! += 1;
    for (const { first, count } of [...unknown, ...retries]) {
      const stored = counts.subarray(first, first + count).reduce((sum, value) => sum + value, 0);
      if (stored !== 0 && stored !== count && refused === 0) {
        problems.push(`events ${first} to ${first + count - 1} were stored in part: ${stored}`);
      }
    }
    const pending = new Set(retries.flatMap(({ first, count }) => range(first, count)));
    expected.forEach((expectation, n) => {
      const count = counts[n]!;
      if (count > 1) problems.push(`event ${n} is stored ${count} times`);
      if (expectation === STORED && count === 0) problems.push(`event ${n} is lost`);
      if (expectation === ABSENT && count > 0) problems.push(`event ${n} is stored, but refused`);
      if (expectation === UNKNOWN && !pending.has(n)) expected[n] = count > 0 ? STORED : ABSENT;
    });
    unknown = [];
    return problems;
  };

  return {
    name: 'events',
    get acknowledged() {
      return acknowledged;
    },
    get refused() {
      return refused;
    },
    next(client): Step {
      const track = retries.shift() ?? makeRequest(client);
      return {
        request: track.request,
        accepts: [429],
        onOutcome: (answer) => note(track, answer),
      };
    },
    async check(scene) {
      const { database, game_id, time_zone } = scene;
      const stored = await readStored(scene);
      const problems = compare(stored.numbers);
      const count = stored.numbers.length;
      if (stored.used !== count) problems.push(`quota ${stored.used}, stored ${count}`);
      if (stored.by_key !== count) problems.push(`usage by key ${stored.by_key}, stored ${count}`);
      if (stored.put_aside > 0) problems.push(`${stored.put_aside} requests were quarantined`);
      const [rollups, naive] = [
        await readRollups(database, game_id),
        await countNaively(database, game_id, time_zone),
      ];
      problems.push(...compareRollups(rollups, naive));
      return problems;
    },
  };
}

function compareRollups(rollups: Rollups, naive: Rollups): string[] {
  const names = [...new Set([...Object.keys(rollups), ...Object.keys(naive)])];
  return names.flatMap((name) => {
    const [stored, counted] = [rollups[name] ?? {}, naive[name] ?? {}];
    const rows = [...new Set([...Object.keys(stored), ...Object.keys(counted)])];
    const wrong = rows.filter((row) => stored[row] !== counted[row]);
    if (wrong.length === 0) return [];
    const [row] = wrong as [string];
    return [
      `${name} is wrong in ${wrong.length} rows, as ${row}: ${stored[row]}, and not ${counted[row]}`,
    ];
  });
}

async function readStored({ database, game_id }: Scene) {
  const row = await database.queryOne<{
    numbers: string | null;
    used: number;
    by_key: number;
    put_aside: number;
  }>(sql`
    SELECT (SELECT string_agg(properties ->> 'n', ',') FROM events
            WHERE game_id = ${game_id}) AS numbers,
           (SELECT COALESCE(sum(used), 0)::bigint FROM event_usage
            WHERE game_id = ${game_id}) AS used,
           (SELECT COALESCE(sum(event_count), 0)::bigint FROM event_key_usage
            WHERE game_id = ${game_id}) AS by_key,
           (SELECT count(*) FROM event_quarantine WHERE game_id = ${game_id}) AS put_aside`);
  return { ...row!, numbers: row!.numbers === null ? [] : row!.numbers.split(',').map(Number) };
}

/**
 * Chooses the time of an event: mostly within the last minute, sometimes
 * up to 30 days ago, and sometimes in the future, as from a wrong clock.
 */
function chooseTimestamp(random: Random): string {
  const kind = random.below(10);
  const delay_ms =
    kind < 7 ? random.below(60_000) : kind < 9 ? random.below(30 * 24) * HOUR_MS : -3 * HOUR_MS;
  return new Date(Date.now() - delay_ms).toISOString();
}

const range = (start: number, length: number) =>
  Array.from({ length }, (_, place) => start + place);
