import { SESSION_LENGTH_BOUNDS_SECONDS } from '@overworld/contract/analytics/sessions';
import { countActiveDays } from '../active-players/count-active-players.ts';
import type { DayOfPlayers } from '../active-players/report.ts';
import { countDays, dayNumber, sum } from '../days.ts';
import { labelParts, makeAdder, readSlicePlayers } from '../players/slice.ts';
import type { SliceInput } from '../players/slice.ts';
import type { ExploreDatabase } from '../thread/explore-database.ts';
import { expectSessions, readSessions } from './read-sessions.ts';
import { toSessionDays } from './report.ts';

const CLASSES = SESSION_LENGTH_BOUNDS_SECONDS.length + 1;

/** Counts the sessions of some players by day and length. */
export async function countSessions(
  database: ExploreDatabase,
  input: SliceInput,
  signal: AbortSignal,
) {
  await expectSessions(database, input, signal);
  const players = await readSlicePlayers(database, input, signal);
  const { set, groups } = players;
  const active = countActiveDays(input, players);

  const first = dayNumber(input.from);
  const cells = countDays(input) * CLASSES;
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
  const show = ({ counts, seconds }: typeof adder.total, days: readonly DayOfPlayers[]) =>
    toSessionDays(
      days.map(({ day, daily }, place) => {
        const cut = (cells_of: Float64Array) => [
          ...cells_of.subarray(place * CLASSES, (place + 1) * CLASSES),
        ];
        const classes = cut(counts);
        return {
          day,
          player_session_count: sum(classes),
          total_seconds: sum(cut(seconds)),
          active_players: daily,
          classes,
        };
      }),
    );
  const parts = adder.parts.map((numbers, index) => show(numbers, active.parts[index]!));
  return { ...show(adder.total, active.total), groups: labelParts(groups, parts) };
}
