import { MAX_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { useGame } from '../../shell/game.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { countDays, daysBefore, isDay, todayIn } from './report-days.ts';

/** Ranges up to today, by their number of days. */
export const PRESETS = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;
const DEFAULT = '30';
export const CUSTOM = 'custom';

/** What the address says of days; a report that is saved or shared by its question leaves them out. */
export const RANGE_PARAMETERS = ['range', 'from', 'to'] as const;

/** The days that the reports of a page are about, in the game's time zone, as the address says. */
export function useReportRange() {
  const { game } = useGame();
  const { search, set } = useSearchState();
  const today = todayIn(game.time_zone);
  const [first, last] = [search.get('from'), search.get('to')];
  const isCustom = isDay(first) && isDay(last) && isRange(first, last);
  const preset = PRESETS.find(({ value }) => value === search.get('range'))?.value ?? DEFAULT;
  const from = isCustom ? first : daysBefore(Number(preset) - 1, game.time_zone);
  const to = isCustom ? last : today;
  return {
    from,
    to,
    today,
    /** A preset, or `custom`. */
    choice: isCustom ? CUSTOM : preset,
    /** The last day is not over, so that its numbers still rise. */
    isUnfinished: to >= today,
    setPreset: (value: string) =>
      set({ range: value === DEFAULT ? null : value, from: null, to: null }),
    setDays: (days: { from: string; to: string }) => set({ ...days, range: null }),
  };
}

export type ReportRange = ReturnType<typeof useReportRange>;

/** Whether a report can be about these days. */
export const isRange = (from: string, to: string) =>
  from <= to && countDays(from, to) <= MAX_REPORT_DAYS;
