import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Note } from '../../ui/text.tsx';
import { formatCalendarDay } from '../../ui/format.ts';
import type { ReportRange } from './use-report-range.ts';

/**
 * Returns the first day with numbers in the environment, or
 * null if there are no events or if the day is not loaded yet.
 */
export function useFirstDay(): string | null {
  const { inEnvironment } = useGame();
  const read = useRead('GET /v1/games/{game_id}/analytics/first-day', inEnvironment());
  return read.data?.first_day ?? null;
}

/** Says that the days of a report begin before the first day with numbers. */
export function FirstDayNote({ range }: { range: ReportRange }) {
  const first_day = useFirstDay();
  if (first_day === null || first_day <= range.from) return null;
  return (
    <Note style={{ alignSelf: 'center' }}>
      The first events are of {formatCalendarDay(first_day)}.
    </Note>
  );
}
