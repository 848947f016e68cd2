import type { ReactNode } from 'react';
import { ReportCard } from '../../reports/report-card.tsx';
import { addDays, countDays } from '../../reports/days/report-days.ts';
import { finishedDays, mean, sum } from '../../reports/summary.ts';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { Figures } from '../../ui/charts/figures.tsx';
import { countOf, formatCalendarDay, formatCompact, formatCount } from '../../ui/format.ts';
import { LineChart } from '../../ui/charts/line-chart.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { PROBLEMS } from './quality-problems.ts';
import type { Problem, Quality, QualityDay } from './quality-problems.ts';

/** One kind of problem, day by day over all keys that are shown. */
export function QualityOverTime(props: {
  quality: Quality;
  isUnfinished: boolean;
  isWaiting: boolean;
  csv: ReactNode;
}) {
  const { quality, isUnfinished, isWaiting, csv } = props;
  const { from, to, time_zone } = quality;
  const { search, set } = useSearchState();
  const problem = PROBLEMS.find(({ value }) => value === search.get('figure')) ?? PROBLEMS[0];
  const days = Array.from({ length: countDays(from, to) }, (_, index) => addDays(from, index));
  const byDay = Map.groupBy(quality.days, ({ day }) => day);
  const countsOf = ({ member }: Problem) =>
    days.map((day) => sum((byDay.get(day) ?? []).map((row) => row[member])));
  const counts = countsOf(problem);
  const total = sum(counts);
  const received = sum(quality.days.map(({ event_count }) => event_count));
  return (
    <ReportCard
      id="problems"
      title={problem.name}
      caption={
        <>
          <b>{countOf(total, 'event')}</b> {problem.words}, of {formatCount(received)} received.
          Days of receipt, in {time_zone}.
        </>
      }
      isWaiting={isWaiting}
      actions={csv}
      head={
        <Figures
          shown={problem.value}
          onShow={(value) => set({ figure: value === PROBLEMS[0].value ? null : value })}
          figures={PROBLEMS.map((each) => {
            const values = countsOf(each);
            return {
              value: each.value,
              name: `${each.name}, ${isUnfinished ? 'today' : formatCalendarDay(to)}`,
              number: formatCompact(values.at(-1)!),
              compared: [
                ['Day before', values.length > 1 ? formatCompact(values.at(-2)!) : '–'],
                ['Average', formatCompact(mean(finishedDays(values, isUnfinished)))],
              ],
            };
          })}
        />
      }
      chart={
        <LineChart
          label={`${problem.name}, each day`}
          periods={days.map(formatCalendarDay)}
          series={[{ name: problem.name, values: counts }]}
          isLastUnfinished={isUnfinished}
        />
      }
      table={
        <DataTable
          label="Data quality by day and API key"
          density="compact"
          rows={quality.days.toReversed()}
          rowKey={({ day, key_id }) => `${day} ${key_id}`}
          columns={[
            {
              id: 'day',
              head: 'Day',
              value: ({ day }) => day,
              cell: ({ day }) => formatCalendarDay(day),
            },
            {
              id: 'key',
              head: 'API key',
              value: ({ key_name }) => key_name,
              cell: ({ key_name }) => <span className="name">{key_name ?? 'a deleted key'}</span>,
            },
            {
              id: 'received',
              head: 'Received',
              align: 'end',
              value: ({ event_count }) => event_count,
              cell: ({ event_count }) => formatCount(event_count),
            },
            ...PROBLEMS.map(({ value, name, member }) => ({
              id: value,
              head: name,
              align: 'end' as const,
              value: (row: QualityDay) => row[member],
              cell: (row: QualityDay) => formatCount(row[member]),
            })),
          ]}
          empty={null}
        />
      }
    />
  );
}
