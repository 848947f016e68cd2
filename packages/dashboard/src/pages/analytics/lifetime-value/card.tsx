import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { groupsOf } from '../../../reports/cards/card-groups.tsx';
import { CardSplitLines } from '../../../reports/players/split-chart.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { cohortColumns } from './cohort-values.tsx';
import { dayName, lastKnown, valueChart, writeValue } from './values.ts';

export const drawLifetimeValue: DrawCard<'lifetime-value'> = (report, { chart }) => {
  const { currency, cohorts, groups } = report;
  const known = lastKnown(report);
  if (currency === null || known === undefined) return null;
  return {
    words: (
      <>
        <b>{writeValue(known.value, currency)}</b> per player by{' '}
        {known.day === 0 ? 'the end of the first day' : dayName(known.day).toLowerCase()}
      </>
    ),
    chart:
      chart === 'cohorts' ? (
        <DataTable
          label="Revenue by cohort"
          rows={cohorts.filter(({ player_count }) => player_count > 0)}
          rowKey={({ first_day }) => first_day}
          columns={cohortColumns(currency, false)}
          density="compact"
          minWidth={1180}
        />
      ) : (
        <CardSplitLines {...valueChart(report)} />
      ),
    groups:
      groups.length === 0
        ? undefined
        : groupsOf(
            `Revenue per player by ${dayName(known.day).toLowerCase()}`,
            groups,
            ({ per_player }) => per_player.find(({ day }) => day === known.day)?.value ?? null,
            (value) => writeValue(value, currency),
          ),
  };
};
