import type { Tenant } from '../../../platform/players/player-key.ts';
import { sql } from '../../../platform/database/sql.ts';
import { PackedField, readPacked, SEED } from '../scan/packet.ts';
import { expectPlayers } from '../scan/expected-rows.ts';
import type { PlayerSet } from './player-set.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { dayNumber } from '../days.ts';
import type { Days } from '../days.ts';

/** The days on which a player was active, from the first such day to the last. */
export interface ActiveDays {
  /** The first active day, as the number of days since 1970-01-01. */
  first_day: number;
  /** The number of days from the first active day to the last, both included. */
  length: number;
  isActive(place: number): boolean;
}

/** The number of rows that one statement reads. */
const PAGE_SIZE = 20_000;

/** Reads the active days of the players of a set. This takes about 2 µs and 30 bytes for each player. */
export async function readActivity(
  database: ExploreDatabase,
  tenant: Tenant,
  set: PlayerSet,
  signal: AbortSignal,
) {
  const pages: DataView[] = [];
  await readPages(database, tenant, signal, (page) => pages.push(page));
  return {
    /**
     * Calls `visit` for each player of the set, with the number of the value
     * that decides the player's group. The days are valid only during the call.
     */
    each(visit: (value: number, days: ActiveDays) => void) {
      for (const page of pages) {
        visitPage(page, (high, low, days) => {
          const value = set.valueOf(high, low);
          if (value !== -1) visit(value, days);
        });
      }
    },
  };
}

/** The active days of the players of a set, in memory. */
export type PlayerActivity = Awaited<ReturnType<typeof readActivity>>;

/**
 * A function that takes the two halves of the hash of a player's id, and
 * the active days of that player. The days are valid only during the call.
 */
type VisitActivity = (high: number, low: number, days: ActiveDays) => void;

/** Visits the active days of all players of an environment. */
export const eachActivity = (
  database: ExploreDatabase,
  tenant: Tenant,
  signal: AbortSignal,
  visit: VisitActivity,
): Promise<void> => readPages(database, tenant, signal, (page) => visitPage(page, visit));

async function readPages(
  database: ExploreDatabase,
  { game_id, environment }: Tenant,
  signal: AbortSignal,
  onPage: (page: DataView) => void,
): Promise<void> {
  await expectPlayers(database, { game_id, environment }, ['active days'], signal);
  let after = '';
  for (;;) {
    const [page] = await database.query<{ count: number; last: string | null; packed: string }>(
      sql`
        SELECT count(*) AS count, max(player_id) AS last,
               string_agg(${PackedField.hash(sql`player_id`, SEED)}
                          || int4send(first_day - DATE '1970-01-01')
                          || varbit_send(active_days), '')::text AS packed
        FROM (
          SELECT player_id, first_day, active_days
          FROM player_activity
          WHERE game_id = ${game_id}::uuid AND environment = ${environment}::environment
            AND player_id > ${after}::text
          ORDER BY player_id
          LIMIT ${PAGE_SIZE}
        ) AS page`,
      signal,
    );
    if (page!.last === null) break;
    onPage(readPacked(page!.packed));
    database.progress.add(page!.count);
    if (page!.count < PAGE_SIZE) break;
    after = page!.last;
  }
}

function visitPage(view: DataView, visit: VisitActivity): void {
  for (let at = 0; at < view.byteLength;) {
    const length = view.getInt32(at + 12);
    const bits_at = at + 16;
    visit(view.getUint32(at), view.getUint32(at + 4), {
      first_day: view.getInt32(at + 8),
      length,
      isActive: (place) => (view.getUint8(bits_at + (place >>> 3)) & (0x80 >>> (place & 7))) !== 0,
    });
    at = bits_at + ((length + 7) >>> 3);
  }
}

/** Makes a function that tells whether a player was active on at least one day of the report. */
export function isActiveWithin({ from, to }: Days): (days: ActiveDays) => boolean {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return ({ first_day, length, isActive }) => {
    const end = Math.min(last - first_day, length - 1);
    for (let place = Math.max(0, first - first_day); place <= end; place++) {
      if (isActive(place)) return true;
    }
    return false;
  };
}
