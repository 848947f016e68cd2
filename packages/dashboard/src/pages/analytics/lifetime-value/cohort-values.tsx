import { LTV_DAYS } from '@overworld/contract/analytics/limits';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import { formatCalendarDay, formatCount, isFew } from '../../../ui/format.ts';
import { Few } from '../../../ui/share.tsx';
import { column, memberColumn, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { formatMoney } from '../revenue/money.ts';
import { dayName, writeValue } from './values.ts';
import type { Cohort } from './values.ts';

const nameOf = ({ first_day, last_day }: Cohort) =>
  first_day === last_day
    ? formatCalendarDay(first_day)
    : `${formatCalendarDay(first_day)} – ${formatCalendarDay(last_day)}`;

/** The columns of the table of cohorts. @param isLinked True if numbers open the lists of their players. */
export const cohortColumns = (currency: string, isLinked: boolean): Column<Cohort>[] => [
  column<Cohort>('cohort', 'New', { value: ({ first_day }) => first_day, width: 160 }, nameOf),
  {
    ...memberColumn('player_count', 'Players'),
    cell: ({ first_day, last_day, player_count }: Cohort) =>
      isLinked && player_count > 0 ? (
        <DrillDownButton
          cell={{ report: 'active-players', players: 'new', from: first_day, to: last_day }}
        >
          {formatCount(player_count)}
        </DrillDownButton>
      ) : (
        formatCount(player_count)
      ),
  },
  memberColumn('payers', 'Payers'),
  {
    ...numberColumn(
      'revenue',
      'Revenue',
      ({ revenue }: Cohort) => revenue,
      (amount) => formatMoney(amount, currency),
    ),
    width: 120,
  },
  ...LTV_DAYS.map((day, place) =>
    column<Cohort>(
      `day ${day}`,
      dayName(day),
      { align: 'end', value: ({ per_player }) => per_player[place] ?? null },
      ({ per_player, player_count }) => {
        const words = writeValue(per_player[place] ?? null, currency);
        return isFew(player_count) ? <Few>{words}</Few> : words;
      },
    ),
  ),
];
