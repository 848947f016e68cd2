import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import type { SliceRows } from '../../../platform/reports/player-slices.ts';
import { expectPlayers } from '../scan/expected-rows.ts';
import { findPlayers } from '../players/find-players.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { groupPlayers, isActiveWithin, makeAdder, readActivity } from '../players/activity.ts';
import { countActiveDays, toResult } from '../active-players/count-active-players.ts';
import { expectSessions, readSessions } from './read-sessions.ts';
import { dayNumber, dayText } from '../players/slice-input.ts';
import type { SliceInput, SliceResult } from '../players/slice-input.ts';

const CLASSES = SESSION_LENGTH_BOUNDS_SECONDS.length + 1;

/** Counts the sessions of players by day and length. */
export async function sliceSessions(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
): Promise<SliceResult<'sessions'>> {
  await expectSessions(database, input, signal);
  await expectPlayers(database, input, ['players', 'active days'], signal);
  const set = await findPlayers(database, input, input.choice, signal);
  const activity = await readActivity(database, input, set, signal);
  const groups = await groupPlayers(input, set, activity, isActiveWithin(input));
  const active = countActiveDays(input, activity, groups);

  const [first, last] = [dayNumber(input.from), dayNumber(input.to)];
  const cells = (last - first + 1) * CLASSES;
  const adder = makeAdder(groups, () => ({
    counts: new Float64Array(cells),
    seconds: new Float64Array(cells),
  }));
  await readSessions(database, input, signal, ({ high, low, day, length_class, seconds }) => {
    const value = set.valueOf(high, low);
    if (value === -1) return;
    const cell = (day - first) * CLASSES + length_class;
    adder.ofValue(value, (numbers) => {
      numbers.counts[cell]!++;
      numbers.seconds[cell]! += seconds;
    });
  });
  const toRows = (
    { counts, seconds }: typeof adder.total,
    days: SliceRows['active_days'],
  ): SliceRows['sessions'] => ({
    counts: [...counts.keys()]
      .filter((cell) => counts[cell]! > 0)
      .map((cell) => ({
        day: dayText(first + Math.floor(cell / CLASSES)),
        length_class: cell % CLASSES,
        session_count: counts[cell]!,
        total_seconds: seconds[cell]!,
      })),
    active: days.map(({ day, daily }) => ({ day, active_players: daily })),
  });
  return toResult(groups, {
    total: toRows(adder.total, active.total),
    parts: adder.parts.map((numbers, index) => toRows(numbers, active.parts[index]!)),
  });
}
