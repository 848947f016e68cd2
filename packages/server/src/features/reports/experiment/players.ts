import { sql } from '../../../platform/database/sql.ts';
import { createColumn } from '../scan/columns.ts';
import { SEED } from '../scan/packet.ts';
import { createPlayerNumbers } from '../scan/player-numbers.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { dayPlace, isExposure } from './outcomes.ts';
import type {
  DayOutcomes,
  ExperimentInput,
} from '../../../platform/reports/experiment-outcomes.ts';

/** One of `count` parts of the players. The hash of the player's id tells which part a player is in. */
export interface Part {
  index: number;
  count: number;
}

/** Counts the players of each day and variant. @returns the number of players who have only one variant. */
export async function countExposures(
  database: ExploreDatabase,
  input: ExperimentInput,
  days: readonly DayOutcomes[],
  signal: AbortSignal,
): Promise<number> {
  const rows = await database.query<{
    place: number;
    variant: number;
    is_mixed: boolean;
    players: number;
  }>(
    sql`
      SELECT ${dayPlace(input)} AS place, variant, is_mixed, count(*) AS players
      FROM experiment_exposures
      WHERE ${isExposure(input)}
      GROUP BY 1, 2, 3`,
    signal,
  );
  let unmixed = 0;
  for (const { place, variant, is_mixed, players } of rows) {
    const day = days[place]!;
    if (is_mixed) day.mixed += players;
    else {
      day.exposed[variant]! += players;
      unmixed += players;
    }
  }
  return unmixed;
}

/** Reads the players of a part who have only one variant. Each takes 25 to 40 bytes of memory. */
export async function readExposures(
  database: ExploreDatabase,
  input: ExperimentInput,
  { index, count }: Part,
  signal: AbortSignal,
) {
  const numbers = createPlayerNumbers();
  const variants = createColumn.bytes();
  const times = createColumn.doubles();
  await database.each<ExposureRow>(
    sql`
      SELECT ((hash >> 32) & 4294967295) AS high, (hash & 4294967295) AS low, variant,
             (extract(epoch FROM exposed_at - '2000-01-01 00:00+00') * 1000000)::bigint AS time
      FROM experiment_exposures
      CROSS JOIN LATERAL (SELECT hashtextextended(player_id, ${SEED}::bigint) AS hash) AS hashed
      WHERE ${isExposure(input)} AND NOT is_mixed
        AND (hash & 65535) % ${count}::bigint = ${index}::bigint`,
    ({ high, low, variant, time }) => {
      // If two players have the same hash, which hardly ever happens, only one of them counts.
      if (numbers.numberOf(high, low) < numbers.count - 1) return;
      variants.push(variant);
      times.push(time);
    },
    signal,
  );
  return {
    /**
     * Finds the number of a player by the two halves of the hash
     * of the player's id; -1 for players who are not in this part.
     */
    find: (high: number, low: number): number => numbers.find(high, low),
    variants: variants.values(),
    /** Microseconds since 2000. */
    times: times.values(),
  };
}

/**
 * The players of an experiment. Each column has one value per player, in the order of the numbers that `find`
 * returns.
 */
export type Exposures = Awaited<ReturnType<typeof readExposures>>;

interface ExposureRow {
  high: number;
  low: number;
  variant: number;
  time: number;
}
