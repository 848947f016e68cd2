import { CONVERSION_DAYS } from '@overworld/contract/analytics/currencies';
import type { SuccessOf } from '@overworld/contract/operation';
import type { getRevenue } from '@overworld/contract/analytics/revenue';
import { isOfTenant } from '../../../platform/players/player-key.ts';
import type { Tenant } from '../../../platform/players/player-key.ts';
import { sql } from '../../../platform/database/sql.ts';
import { PLAYER_HASH } from '../scan/row-columns.ts';
import { PackedField, readPacked } from '../scan/packet.ts';
import type { Numbering } from '../scan/numbering.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { daysBetween } from '../days.ts';
import type { RevenueDays } from './revenue-days.ts';

type Conversion = SuccessOf<typeof getRevenue>['conversion'][number];

/**
 * The players of a group whose conversion is counted, and their first purchases. A day is given by its index
 * in `days`.
 */
interface Converting {
  /** The number of new players on each day. */
  new_players: Uint32Array;
  /** For each player by number, the day of the first purchase. */
  first_purchases: Uint32Array;
}

/** The statement returns the players in this many rows, because one value may hold at most 1 GB. */
const PARTS = 64;
const RECORD_BYTES = 16;

/**
 * Counts the share of the new players of the range who had paid by the end of the nth day after their first
 * day. This share only counts players for whom the nth day is over.
 */
export async function countConversion(
  database: ExploreDatabase,
  tenant: Tenant,
  { days, range, today }: RevenueDays & { today: string },
  findPlayer: Numbering,
  converting: readonly Converting[],
  signal: AbortSignal,
): Promise<Conversion[][]> {
  const [from, to] = [days[range.first]!, days[range.last]!];
  const longest = CONVERSION_DAYS.at(-1)!;
  const counted = converting.map((players) => ({
    ...players,
    /** For each cohort, counts the new payers by the days from their first day to their first purchase. */
    cohorts: Array.from(
      { length: range.last - range.first + 1 },
      () => new Uint32Array(longest + 1),
    ),
  }));
  const paying = counted.filter(({ first_purchases }) => first_purchases.length > 0);
  if (paying.length > 0) {
    await database.each<{ packed: string }>(
      sql`
        SELECT string_agg(${PLAYER_HASH} || ${PackedField.integer(
          sql`(first_day - ${from}::date)::bigint`,
        )}, '')::text AS packed
        FROM player_activity
        WHERE ${isOfTenant(tenant)} AND first_day BETWEEN ${from}::date AND ${to}::date
        GROUP BY hashtextextended(player_id, 0) & ${PARTS - 1}::bigint`,
      ({ packed }) => {
        const view = readPacked(packed);
        for (let at = 0; at < view.byteLength; at += RECORD_BYTES) {
          const [high, low] = [view.getUint32(at), view.getUint32(at + 4)];
          const cohort = view.getUint32(at + 12);
          const player = findPlayer(high, low);
          if (player === -1) continue;
          for (const { first_purchases, cohorts } of paying) {
            const first_purchase = first_purchases[player]!;
            if (first_purchase === NEVER) continue;
            const after = first_purchase - (range.first + cohort);
            if (after <= longest) cohorts[cohort]![Math.max(0, after)]!++;
          }
        }
      },
      signal,
    );
  }
  return counted.map(({ new_players, cohorts }) =>
    CONVERSION_DAYS.flatMap((day) => {
      let players = 0;
      let payers = 0;
      cohorts.forEach((counts, cohort) => {
        const place = range.first + cohort;
        if (daysBetween(days[place]!, today) <= day) return;
        players += new_players[place]!;
        for (let after = 0; after <= day; after++) payers += counts[after]!;
      });
      const is_over = daysBetween(from, today) > day;
      return is_over
        ? [{ day, players, payers, share: players === 0 ? null : payers / players }]
        : [];
    }),
  );
}

/** Used as the day of the first purchase if a player bought nothing in the currencies of the report. */
export const NEVER = 0xffff_ffff;
