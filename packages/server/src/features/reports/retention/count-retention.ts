import { dayNumber } from '../days.ts';
import type { ActiveDays } from '../players/activity.ts';
import { labelParts, makeAdder, readSlicePlayers } from '../players/slice.ts';
import type { SliceInput } from '../players/slice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { makeRetentionCounts, RETENTION_DAYS, toCohorts } from './report.ts';
import type { Retention } from './report.ts';

/** For each cohort of some players, counts how many were active on each later day. */
export async function countRetention(
  database: ExploreDatabase,
  input: SliceInput & Pick<Retention, 'cohort'>,
  signal: AbortSignal,
): Promise<Pick<Retention, 'cohort' | 'cohorts' | 'average' | 'groups'>> {
  const { from, to, cohort } = input;
  const [first, last] = [dayNumber(from), dayNumber(to)];
  const isNew = ({ first_day }: ActiveDays) => first_day >= first && first_day <= last;
  const { activity, groups } = await readSlicePlayers(database, input, signal, isNew);
  const adder = makeAdder(groups, () => makeRetentionCounts(input));
  activity.each((value, days) => {
    if (!isNew(days)) return;
    adder.ofValue(value, (counts) => {
      const row = (days.first_day - first) * RETENTION_DAYS;
      for (let place = 0; place < Math.min(days.length, RETENTION_DAYS); place++) {
        if (days.isActive(place)) counts[row + place]!++;
      }
    });
  });
  const show = (counts: Float64Array) => toCohorts(counts, input, cohort);
  return { cohort, ...show(adder.total), groups: labelParts(groups, adder.parts.map(show)) };
}
