import { sql } from '../../../../platform/database/sql.ts';
import { createColumn } from '../../scan/columns.ts';
import { SEED } from '../../scan/event-scan.ts';
import { createPlayerNumbers } from '../../scan/player-numbers.ts';
import type { ExploreDatabase } from '../../thread/explore-database.ts';
import { ofExperiment } from './outcomes.ts';
import type { ExperimentInput } from './outcomes.ts';

/** The players of an experiment, as columns by their number. */
export interface Exposures {
  /** The number of a player by the halves of the hash of its id; -1 for other players. */
  find(high: number, low: number): number;
  variants: Uint8Array;
  /** Microseconds since 2000. */
  times: Float64Array;
  /** Players of each variant. */
  counts: number[];
  /** Players of several variants, who are in no column. */
  mixed: number;
}

/** Reads the players of an experiment; 25 to 40 bytes each. */
export async function readExposures(
  database: ExploreDatabase,
  input: ExperimentInput,
  signal: AbortSignal,
): Promise<Exposures> {
  const numbers = createPlayerNumbers();
  const variants = createColumn.bytes();
  const times = createColumn.doubles();
  const counts = Array.from({ length: input.variant_count }, () => 0);
  let mixed = 0;
  await database.each<ExposureRow>(
    sql`
      SELECT ((hash >> 32) & 4294967295) AS high, (hash & 4294967295) AS low, variant, is_mixed,
             (extract(epoch FROM exposed_at - '2000-01-01 00:00+00') * 1000000)::bigint AS time
      FROM experiment_exposures
      CROSS JOIN LATERAL (SELECT hashtextextended(player_id, ${SEED}::bigint) AS hash) AS hashed
      WHERE ${ofExperiment(input)}`,
    ({ high, low, variant, is_mixed, time }) => {
      if (is_mixed) {
        mixed++;
        return;
      }
      // Of two players with the same hash, which hardly ever happens, only one counts.
      if (numbers.numberOf(high, low) < numbers.count - 1) return;
      const of_variant = variants.extend(1);
      of_variant.array[of_variant.from] = variant;
      const of_time = times.extend(1);
      of_time.array[of_time.from] = time;
      counts[variant]!++;
    },
    signal,
  );
  return {
    find: (high, low) => numbers.find(high, low),
    variants: variants.values(),
    times: times.values(),
    counts,
    mixed,
  };
}

interface ExposureRow {
  high: number;
  low: number;
  variant: number;
  is_mixed: boolean;
  time: number;
}
