import type { CopiedRow } from '../../../platform/database/copy-out.ts';
import { sql } from '../../../platform/database/sql.ts';
import { isOfTenant, nameOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import type {
  ColumnDatabase,
  PropertyColumn,
  SealedColumns,
  SealedEvents,
  SealedPart,
  WantedColumns,
} from '../scan/event-columns.ts';
import { SEED } from '../scan/packet.ts';
import { COLUMNS, decodeSessions, HEAD, KEYS, openPart, propertyColumn } from './codec/part.ts';
import { namePart, nameSessions } from './sealed-store.ts';
import type { TenantDay } from './sealed-store.ts';
import type { UnreadableDay } from './unreadable.ts';
import { LAST_SEALED_DAY } from './unseal.ts';

/** The hashes of so many environments are kept, at 8 bytes a player. */
const MAX_KEPT_TENANTS = 20;
const PAGE_PLAYERS = 100_000;

interface KnownPlayers {
  /** A restored game may have the id of an earlier one, but not its seed. */
  session_seed: string;
  hashes: Int32Array;
  /** The next number to read. */
  next: number;
  merge_number: number;
}

/**
 * Makes a reader of sealed events, which keeps the hashes of players in memory.
 * @param onUnreadable Is called for bytes that are not what was written. They may also be of a version that was
 * sealed after the parts were listed.
 */
export function createSealedEvents(
  onUnreadable: (day: UnreadableDay) => void = () => undefined,
): SealedEvents {
  const known = new Map<string, KnownPlayers>();

  const readPlayers: SealedEvents['readPlayers'] = async (database, tenant, signal) => {
    const name = nameOfTenant(tenant);
    const stored = await readTenant(database, tenant, signal);
    if (stored === null) return new Int32Array(0);
    const { session_seed, next_number, merge_count } = stored;
    let players = known.get(name);
    known.delete(name);
    if (players?.session_seed !== session_seed || players.next > next_number) {
      players = { session_seed, hashes: new Int32Array(0), next: 0, merge_number: merge_count };
    }
    await readNew(database, tenant, players, signal);
    await readMerged(database, tenant, players, signal);
    known.set(name, players);
    if (known.size > MAX_KEPT_TENANTS) known.delete(known.keys().next().value!);
    return players.hashes.subarray(0, 2 * players.next);
  };

  return {
    readPlayers,

    async list(database, tenant, { first_day, last_day, names }, signal) {
      // Events are dropped after this time has moved, so no sealed day is read whose rows are gone.
      const kept_since = sql`
        SELECT (events_kept_since AT TIME ZONE 'UTC')::date FROM games WHERE id = ${tenant.game_id}`;
      const isWanted = sql`day BETWEEN ${first_day}::date AND ${last_day}::date
        AND day <= ${LAST_SEALED_DAY} AND day >= COALESCE((${kept_since}), '-infinity')`;
      const rows = await database.query<{ day: string; version: string; parts: ListedPart[] }>(
        sql`
          SELECT sealed.day, sealed.version::text AS version,
                 COALESCE(json_agg(json_build_array(event_name, part, listed.event_count))
                            FILTER (WHERE event_name IS NOT NULL), '[]') AS parts
          FROM (
            SELECT day, version FROM sealed_days
            WHERE ${isOfTenant(tenant)} AND ${isWanted} AND event_count IS NOT NULL
          ) AS sealed
          LEFT JOIN (
            SELECT day, event_name, part, event_count FROM sealed_events
            WHERE ${isOfTenant(tenant)} AND ${isWanted} AND column_name = ${HEAD}
              AND (${names}::text[] IS NULL OR event_name = ANY(${names}::text[]))
          ) AS listed USING (day)
          GROUP BY sealed.day, sealed.version
          ORDER BY sealed.day`,
        signal,
      );
      return {
        days: rows.map(({ day }) => day),
        parts: rows.flatMap(({ day, version, parts }) =>
          parts.map(([event_name, part, count]) => ({ day, version, event_name, part, count })),
        ),
      };
    },

    async read(database, tenant, parts, wanted, onColumns, signal) {
      const stored = await readRows(database, tenant, parts, wanted, signal);
      const opened: SealedColumns[] = [];
      const refused = new Set<string>();
      for (const part of parts) {
        const rows = stored.get(nameOf(part));
        const columns =
          rows === undefined ? null : decode(tenant, part, rows, wanted, onUnreadable);
        if (columns === null) refused.add(nameOfGroup(part));
        else opened.push(columns);
      }
      for (const columns of opened) {
        if (!refused.has(nameOfGroup(columns.part))) onColumns(columns);
      }
      return parts.filter((part) => refused.has(nameOfGroup(part)));
    },

    async readSessions(database, tenant, day, of_players, signal) {
      const [row] = await database.copy(
        sql`
          SELECT version::text, sessions FROM sealed_days
          WHERE ${isOfTenant(tenant)} AND day = ${day}::date AND event_count IS NOT NULL`,
        signal,
      );
      const of = { ...tenantOf(tenant), day };
      const decoded =
        row === undefined
          ? null
          : openSessions(of, { version: textOf(row, 0), sessions: row[1]! }, onUnreadable);
      if (decoded === null) return null;
      const { players, hashes } = decoded;
      for (let session = 0; session < players.length; session++) {
        const player = players[session]! - 1;
        if (player < 0) continue;
        hashes[2 * session]! ^= of_players[2 * player]!;
        hashes[2 * session + 1]! ^= of_players[2 * player + 1]!;
      }
      return hashes;
    },

    async readSessionSeed(database, tenant, signal) {
      const stored = await readTenant(database, tenant, signal);
      return stored?.session_seed ?? '0';
    },
  };
}

interface StoredTenant {
  session_seed: string;
  next_number: number;
  merge_count: number;
}

async function readTenant(
  database: ColumnDatabase,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<StoredTenant | null> {
  const [stored] = await database.query<StoredTenant>(
    sql`
      SELECT session_seed::text AS session_seed, next_number, merge_count
      FROM sealed_tenants WHERE ${isOfTenant(tenant)}`,
    signal,
  );
  return stored ?? null;
}

/** @returns null if the bytes are not those that were written. */
function openSessions(
  of: TenantDay,
  { version, sessions }: { version: string; sessions: Buffer },
  onUnreadable: (day: UnreadableDay) => void,
) {
  try {
    return decodeSessions(nameSessions(of, version), sessions);
  } catch {
    onUnreadable({ ...of, version, event_name: null });
    return null;
  }
}

/** Callers pass more than the tenant. */
const tenantOf = ({ game_id, environment }: Tenant): Tenant => ({ game_id, environment });

type ListedPart = [event_name: string, part: number, count: number];

const nameOf = ({ day, event_name, part }: Omit<SealedPart, 'count' | 'version'>): string =>
  JSON.stringify([day, event_name, part]);
const nameOfGroup = ({ day, event_name }: SealedPart): string => JSON.stringify([day, event_name]);

const textOf = (row: CopiedRow, place: number): string => row[place]!.toString();

/**
 * Reads the columns of parts as they are stored, by part and name. A join with the parts would compare each row with
 * each part, so parts of the same days and names are read too, of which the caller has few.
 */
async function readRows(
  database: ColumnDatabase,
  tenant: Tenant,
  parts: readonly SealedPart[],
  wanted: WantedColumns,
  signal: AbortSignal,
): Promise<Map<string, Map<string, Buffer>>> {
  const names = [
    HEAD,
    ...(wanted.without_players === true ? [] : [COLUMNS.players]),
    ...(wanted.times === true ? [COLUMNS.times] : []),
    ...(wanted.ids === true ? [COLUMNS.ids] : []),
    ...(wanted.sessions === true ? [COLUMNS.sessions] : []),
    ...(wanted.keys === true ? [KEYS] : []),
    ...wanted.properties.map(propertyColumn),
  ];
  const rows = await database.copy(
    sql`
      SELECT day::text, event_name, part::text, column_name, data FROM sealed_events
      WHERE ${isOfTenant(tenant)}
        AND day = ANY(${[...new Set(parts.map(({ day }) => day))]}::date[])
        AND event_name = ANY(${[...new Set(parts.map(({ event_name }) => event_name))]}::text[])
        AND column_name = ANY(${names}::text[])`,
    signal,
  );
  const stored = new Map<string, Map<string, Buffer>>();
  for (const row of rows) {
    const [day, event_name, part, column_name] = [0, 1, 2, 3].map((place) => textOf(row, place));
    const name = nameOf({ day: day!, event_name: event_name!, part: Number(part) });
    const columns = stored.get(name) ?? new Map<string, Buffer>();
    stored.set(name, columns.set(column_name!, row[4]!));
  }
  return stored;
}

/** @returns null if the part is not the one that was listed, or lacks a wanted column. */
function decode(
  tenant: Tenant,
  listed: SealedPart,
  stored: ReadonlyMap<string, Buffer>,
  wanted: WantedColumns,
  onUnreadable: (day: UnreadableDay) => void,
): SealedColumns | null {
  const { day, version, event_name } = listed;
  try {
    const part = openPart(namePart({ ...tenant, day }, version, listed), stored);
    const properties = new Map<string, PropertyColumn>();
    for (const name of wanted.properties) {
      const column = part.property(name);
      if (column === null) return null;
      properties.set(name, column);
    }
    const players = wanted.without_players === true ? new Uint32Array(0) : part.numbers('players');
    // Numbers are stored plus 1, and 0 stands for no player: -1 is NO_PLAYER.
    for (let index = 0; index < players.length; index++) players[index]! -= 1;
    return {
      part: listed,
      count: part.count,
      players,
      times: wanted.times === true ? part.integers('times') : new Float64Array(0),
      ids: wanted.ids === true ? part.integers('ids') : new Float64Array(0),
      sessions: wanted.sessions === true ? part.numbers('sessions') : new Uint32Array(0),
      keys: wanted.keys === true ? part.keys() : new Uint32Array(0),
      key_ids: part.key_ids,
      properties,
    };
  } catch {
    onUnreadable({ ...tenantOf(tenant), day, version, event_name });
    return null;
  }
}

interface HashPage {
  count: number;
  last: number;
  numbers: Buffer;
  hashes: Buffer;
}

async function readNew(
  database: ColumnDatabase,
  tenant: Tenant,
  players: KnownPlayers,
  signal: AbortSignal,
): Promise<void> {
  for (let count = PAGE_PLAYERS; count === PAGE_PLAYERS;) {
    const isNew = sql`number >= ${players.next}::bigint`;
    const [page] = await database.query<HashPage>(selectHashes(tenant, isNew, sql`number`), signal);
    count = page!.count;
    if (count > 0) {
      take(players, page!);
      players.next = page!.last + 1;
    }
  }
}

async function readMerged(
  database: ColumnDatabase,
  tenant: Tenant,
  players: KnownPlayers,
  signal: AbortSignal,
): Promise<void> {
  const isMerged = sql`merge_number > ${players.merge_number}::bigint`;
  // All numbers of one merge are in one page, so the page has no end.
  const [page] = await database.query<HashPage>(
    selectHashes(tenant, isMerged, sql`merge_number`, null),
    signal,
  );
  if (page!.count === 0) return;
  take(players, page!);
  players.merge_number = page!.last;
}

const selectHashes = (
  tenant: Tenant,
  isWanted: ReturnType<typeof sql>,
  order: ReturnType<typeof sql>,
  limit: number | null = PAGE_PLAYERS,
) => sql`
  SELECT count(*) AS count, max(ordered) AS last,
         COALESCE(string_agg(int4send(number::integer), ''), '') AS numbers,
         COALESCE(string_agg(int8send(hashtextextended(player_id, ${SEED}::bigint)), ''), '') AS hashes
  FROM (
    SELECT number, player_id, ${order} AS ordered FROM sealed_players
    WHERE ${isOfTenant(tenant)} AND ${isWanted}
    ORDER BY ${order}
    LIMIT ${limit}::integer
  ) AS page`;

/** Writes the hashes of a page to the places of their numbers. */
function take(players: KnownPlayers, { count, numbers, hashes }: HashPage): void {
  const [number_view, hash_view] = [numbers, hashes].map(
    ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength),
  );
  for (let index = 0; index < count; index++) {
    const number = number_view!.getInt32(4 * index);
    if (2 * number + 1 >= players.hashes.length) grow(players, number);
    players.hashes[2 * number] = hash_view!.getInt32(8 * index);
    players.hashes[2 * number + 1] = hash_view!.getInt32(8 * index + 4);
  }
}

function grow(players: KnownPlayers, number: number): void {
  const larger = new Int32Array(Math.max(2 * (number + 1), 2 * players.hashes.length, 1024));
  larger.set(players.hashes);
  players.hashes = larger;
}
