import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestServer } from '../../../../../test/harness.ts';
import { copyRows } from '../../../../../test/copy-rows.ts';
import { makeTestPartition } from '../../../../../test/past-day.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import type { Tenant } from '../../../../platform/players/player-key.ts';
import { NO_PLAYER } from '../../scan/event-columns.ts';
import type { PropertyColumn, SealedEvents, SealedPart } from '../../scan/event-columns.ts';
import { SEED } from '../../scan/packet.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';

/** An event of a test. */
export interface PastEvent {
  event_name: string;
  player_id: string | null;
  session_id: string;
  /** JSON. */
  properties?: string;
}

/** Above all ids that ingest gives in a test. */
let last_id = 2 ** 40;

/** Stores events that were received on a past day, in the order of the list, as ingest would. */
export async function insertPastEvents(
  server: TestServer,
  game_id: string,
  day: string,
  events: readonly PastEvent[],
): Promise<void> {
  await makeTestPartition(server, day);
  const first_id = last_id + 1;
  last_id += events.length;
  const keys = [randomUUID(), randomUUID()];
  await server.database.ofGame(game_id).execute(sql`
    INSERT INTO events (id, received_at, occurred_at, environment, game_id, key_id, event_name,
                        session_id, player_id, properties)
    SELECT ${first_id}::bigint + number - 1, at, at - random() * interval '3 days', 'production',
           ${game_id}, (${keys}::uuid[])[1 + number % 2], event_name, session_id, player_id,
           properties::jsonb
    FROM unnest(${events.map(({ event_name }) => event_name)}::text[],
                ${events.map(({ player_id }) => player_id)}::text[],
                ${events.map(({ session_id }) => session_id)}::text[],
                ${events.map(({ properties = '{}' }) => properties)}::text[])
      WITH ORDINALITY AS event (event_name, player_id, session_id, properties, number)
    CROSS JOIN LATERAL (
      SELECT ${day}::timestamptz + interval '1 second' * (number / 10) AS at
    ) AS clock`);
}

/** Makes events of some players, with a property of each type. */
export const makeEvents = (count: number, players = 50): PastEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    event_name: `e${index % 3}`,
    player_id: index % 17 === 0 ? null : `p${(index * 7) % players}`,
    session_id: `s${index % 40}`,
    properties: JSON.stringify({ level: index % 30, text: `t${index % 5}`, seconds: index / 10 }),
  }));

/** The database of a game, as a report sees it. */
export const exploreDatabase = (game: Database): ExploreDatabase =>
  ({
    query: (statement: Sql) => game.query(statement),
    copy: (statement: Sql) => copyRows(game, statement),
  }) as unknown as ExploreDatabase;

/** An event as it is stored, in an order and with texts that can be compared. */
type ComparedEvent = [
  id: number,
  event_name: string,
  time: number,
  player: string,
  session: string,
  key_id: string,
  properties: [name: string, text: string][],
];

const ALL_DAYS = { first_day: '2000-01-01', last_day: '2999-01-01', names: null };
const { signal } = new AbortController();

export const listSealed = (sealed: SealedEvents, game: Database, tenant: Tenant) =>
  sealed.list(exploreDatabase(game), tenant, ALL_DAYS, signal);

const hashAt = (hashes: Int32Array, number: number): bigint =>
  (BigInt(hashes[2 * number]!) << 32n) | BigInt(hashes[2 * number + 1]! >>> 0);

function textAt(column: PropertyColumn, index: number): string | null {
  if ('numbers' in column) {
    const number = column.numbers[index]!;
    return Number.isNaN(number) ? null : String(number);
  }
  const code = column.codes[index]!;
  return code === 0 ? null : column.values[code - 1]!;
}

/** Reads all sealed events of an environment. @returns them, with the parts that could not be read. */
export async function readSealed(
  sealed: SealedEvents,
  game: Database,
  tenant: Tenant,
  properties: readonly string[],
): Promise<{ days: readonly string[]; events: ComparedEvent[]; refused: SealedPart[] }> {
  const database = exploreDatabase(game);
  const { days, parts } = await listSealed(sealed, game, tenant);
  const events: ComparedEvent[] = [];
  const refused: SealedPart[] = [];
  for (const day of days) {
    const of_day = parts.filter((part) => part.day === day);
    const players = await sealed.readPlayers(database, tenant, signal);
    const sessions = await sealed.readSessions(database, tenant, day, players, signal);
    assert.ok(sessions);
    const wanted = { times: true, ids: true, sessions: true, keys: true, properties };
    const left = await sealed.read(
      database,
      tenant,
      of_day,
      wanted,
      (columns) => {
        assert.equal(columns.count, columns.part.count);
        for (let index = 0; index < columns.count; index++) {
          const player = columns.players[index]!;
          events.push([
            columns.ids[index]!,
            columns.part.event_name,
            columns.times[index]!,
            player === NO_PLAYER ? '0' : String(hashAt(players, player)),
            String(hashAt(sessions, columns.sessions[index]!)),
            columns.key_ids[columns.keys[index]!]!,
            properties.flatMap((name): [string, string][] => {
              const text = textAt(columns.properties.get(name)!, index);
              return text === null ? [] : [[name, text]];
            }),
          ]);
        }
      },
      signal,
    );
    refused.push(...left);
  }
  return { days, events: events.toSorted((a, b) => a[0] - b[0]), refused };
}

/** Reads the same from the rows of events. */
export async function readRows(
  sealed: SealedEvents,
  game: Database,
  tenant: Tenant,
  properties: readonly string[],
): Promise<ComparedEvent[]> {
  const seed = await sealed.readSessionSeed(exploreDatabase(game), tenant, signal);
  const rows = await game.query<{
    id: number;
    event_name: string;
    time: number;
    player: string;
    session: string;
    key_id: string;
    properties: string;
  }>(sql`
    SELECT id, event_name, key_id,
           (extract(epoch FROM occurred_at - '2000-01-01Z'::timestamptz) * 1000000)::bigint AS time,
           COALESCE(hashtextextended(owner, ${SEED}::bigint), 0)::text AS player,
           (hashtextextended(session_id, ${seed}::bigint)
            # COALESCE(hashtextextended(owner, ${SEED}::bigint), 0))::text AS session,
           properties::text AS properties
    FROM (
      SELECT events.*, COALESCE(merge.player_id, events.player_id) AS owner
      FROM events
      LEFT JOIN player_merges AS merge
        ON merge.game_id = events.game_id AND merge.environment = events.environment
          AND from_player_id = events.player_id AND completed_at IS NULL
    ) AS events
    WHERE game_id = ${tenant.game_id} AND environment = ${tenant.environment}
    ORDER BY id`);
  return rows.map((row) => [
    row.id,
    row.event_name,
    row.time,
    row.player,
    row.session,
    row.key_id,
    readProperties(row.properties, properties),
  ]);
}

/** Reads properties by `JSON.parse`, which loses digits: they are looked up in the text. */
function readProperties(json: string, names: readonly string[]): [string, string][] {
  const spelled = JSON.parse(json, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? { number: source } : value,
  ) as Record<string, unknown>;
  return names.flatMap((name): [string, string][] =>
    Object.hasOwn(spelled, name) ? [[name, write(spelled[name])]] : [],
  );
}

/** Writes a value as PostgreSQL does, without zeros at the end of decimals. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('number' in value && typeof value.number === 'string') {
    return value.number.includes('.') ? value.number.replace(/\.?0+$/, '') : value.number;
  }
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}: ${write(inner)}`,
  );
  return `{${members.join(', ')}}`;
}
