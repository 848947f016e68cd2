import { MAX_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { useGame } from '../../shell/game.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { PRESETS } from './presets.ts';
import { addDays, countDays, daysBefore, isDay, todayIn } from './report-days.ts';

const DEFAULT = '30';
export const CUSTOM = 'custom';

/** Reads and sets the days of the reports on a page, in the game's time zone. The URL names the days. */
export function useReportRange() {
  const { game } = useGame();
  const { search, set } = useSearchState();
  const today = todayIn(game.time_zone);
  const [first, last] = [search.get('from'), search.get('to')];
  const isCustom = isDay(first) && isDay(last) && first <= today && isRange(first, last);
  const preset = PRESETS.find(({ value }) => value === search.get('range'))?.value ?? DEFAULT;
  const from = isCustom ? first : daysBefore(Number(preset) - 1, game.time_zone);
  // Future days have no numbers.
  const to = isCustom && last < today ? last : today;
  return {
    from,
    to,
    today,
    choice: isCustom ? CUSTOM : preset,
    /** True if the last day is not over yet, so its numbers still rise. */
    isUnfinished: to >= today,
    setPreset: (value: string) =>
      set({ range: value === DEFAULT ? null : value, from: null, to: null }),
    setDays: (days: { from: string; to: string }) => set({ ...days, range: null }),
  };
}

/** Returns the range that ends on the day before this range begins, with the same number of days. */
export const daysBeforeRange = ({ from, to }: { from: string; to: string }) => ({
  from: addDays(from, -countDays(from, to)),
  to: addDays(from, -1),
});

export type ReportRange = ReturnType<typeof useReportRange>;

/** Tells whether the server accepts these days for a report. */
export const isRange = (from: string, to: string) =>
  from <= to && countDays(from, to) <= MAX_REPORT_DAYS;
