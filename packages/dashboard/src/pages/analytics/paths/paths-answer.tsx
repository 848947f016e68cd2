import { useState } from 'react';
import { Stack } from '@mantine/core';
import { ReportCard } from '../../../reports/report-card.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { EmptyCard } from '../../../ui/empty-card.tsx';
import { formatShare } from '../../../ui/format.ts';
import { countColumn } from '../../../ui/tables/columns.tsx';
import { PathChart } from './path-chart.tsx';
import type { ChosenPlace } from './path-chart.tsx';
import { placeName, unitsOf } from './path-words.ts';
import type { Paths } from './path-words.ts';
import { WholePaths } from './whole-paths.tsx';

/** The events after an event, or before it, as a chart, a table and whole paths. */
export function PathsAnswer(props: { paths: Paths; report: ReportState }) {
  const { paths, report } = props;
  const [chosen, choose] = useState<ChosenPlace | null>(null);
  const { event_name, direction } = paths;
  if (paths.count === 0) {
    return (
      <EmptyCard title="No such events">
        <code className="name">{event_name}</code> did not happen in these days, or not as the
        conditions say.
      </EmptyCard>
    );
  }
  const isNext = direction === 'next';
  const rows = paths.links.map((link) => ({
    ...link,
    from_name: placeName(
      link.step === 1 ? null : paths.steps[link.step - 2]![link.from]!,
      event_name,
      isNext,
    ),
    to_name: placeName(paths.steps[link.step - 1]![link.to]!, event_name, isNext),
  }));
  return (
    <Stack gap="md">
      <ReportCard
        id="paths"
        title={
          <span className="name">
            {isNext ? 'After' : 'Before'} <code>{event_name}</code>
          </span>
        }
        caption={<Words paths={paths} name={event_name} isNext={isNext} chosen={chosen} />}
        actions={report.csv}
        isWaiting={report.isWaiting}
        chart={
          <PathChart
            paths={paths}
            name={event_name}
            isNext={isNext}
            chosen={chosen}
            onChoose={choose}
          />
        }
        table={{
          label: 'Steps of the paths',
          rows,
          rowKey: ({ step, from, to }) => `${step} ${from} ${to}`,
          columns: [
            countColumn('step', 'Step', ({ step }: (typeof rows)[number]) => step),
            {
              id: 'from',
              head: isNext ? 'After' : 'Before',
              value: ({ from_name }) => from_name,
              cell: ({ from_name }) => <span className="truncate">{from_name}</span>,
            },
            {
              id: 'to',
              head: isNext ? 'Came' : 'Had come',
              value: ({ to_name }) => to_name,
              cell: ({ to_name }) => <span className="truncate">{to_name}</span>,
            },
            countColumn(
              'count',
              paths.unit === 'sessions' ? 'Sessions' : 'Players',
              ({ count }: (typeof rows)[number]) => count,
            ),
            {
              id: 'share',
              head: 'Share',
              align: 'end',
              value: ({ share }) => share,
              cell: ({ share }) => formatShare(share),
            },
          ],
        }}
      />
      <WholePaths paths={paths} name={event_name} isNext={isNext} />
    </Stack>
  );
}

function Words(props: { paths: Paths; name: string; isNext: boolean; chosen: ChosenPlace | null }) {
  const { paths, name, isNext, chosen } = props;
  const place = chosen && paths.steps[chosen.step - 1]?.[chosen.index];
  if (chosen && place) {
    return (
      <>
        Step {chosen.step}: <b className="name">{placeName(place, name, isNext)}</b> in{' '}
        {unitsOf(place.count, paths)}, {formatShare(place.share)} of all.
      </>
    );
  }
  const [first] = paths.steps[0] ?? [];
  const end = paths.steps[0]?.find(({ kind }) => kind === 'end');
  return (
    <>
      {paths.unit === 'sessions' ? (
        <>
          <code>{name}</code> happened in <b>{unitsOf(paths.count, paths)}</b>.{' '}
        </>
      ) : (
        <>
          <b>{unitsOf(paths.count, paths)}</b> did <code>{name}</code>.{' '}
        </>
      )}
      {first?.kind === 'event' && (
        <>
          {isNext ? 'Next came' : 'Right before came'} most often{' '}
          <b className="name">{first.event_name}</b>: {formatShare(first.share)}.{' '}
        </>
      )}
      {end && (
        <>
          {formatShare(end.share)} {isNext ? 'ended' : 'began'} with it.{' '}
        </>
      )}
      Days in {paths.time_zone}.
    </>
  );
}
