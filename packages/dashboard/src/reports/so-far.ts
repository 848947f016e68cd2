import { useRead } from '../api/hooks.ts';
import type { Answer } from '../api/operations.ts';
import { useGame } from '../shell/game.ts';
import type { ComparedNumber } from '../ui/charts/figures.tsx';
import { formatChange, formatCount, formatWeekday } from '../ui/format.ts';
import { formatClock } from '../ui/time/format-time.ts';

type SoFar = Answer<'GET /v1/games/{game_id}/analytics/today'>;
type Figure = Exclude<keyof SoFar['today'], 'day'>;

const EVERY_MS = 60_000;
/** Shown in place of the lines until they are loaded, so that nothing below them moves. */
const UNREAD: readonly ComparedNumber[] = [
  ['Yesterday until now', '–'],
  ['Last week until now', '–'],
];

/**
 * Compares the numbers of today with those of yesterday and of the same day last week, each until the same
 * time of day.
 * @returns a function that takes a figure, such as the active players, and returns the lines that are shown
 * below its number for today.
 */
export function useSoFar(enabled: boolean): (figure: Figure) => readonly ComparedNumber[] {
  const { inEnvironment } = useGame();
  const { data } = useRead('GET /v1/games/{game_id}/analytics/today', inEnvironment(), {
    enabled,
    every: EVERY_MS,
  });
  return (figure) => (!enabled ? [] : data === undefined ? UNREAD : compare(data, figure));
}

function compare({ until, time_zone, today, yesterday, last_week }: SoFar, figure: Figure) {
  const time = formatClock(until, time_zone);
  const line = (name: string, day: SoFar['today']): ComparedNumber => [
    `${name} until ${time}`,
    formatCount(day[figure]),
    formatChange(today[figure], day[figure]),
  ];
  return [line('Yesterday', yesterday), line(`Last ${formatWeekday(last_week.day)}`, last_week)];
}
