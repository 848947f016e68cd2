import { useState } from 'react';
import { Stack } from '@mantine/core';
import { useDrillDown } from '../../../reports/drill-down/cells.ts';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { isFew, writeShare } from '../../../ui/format.ts';
import { shareColumn } from '../../../ui/share.tsx';
import { memberColumn, sortedColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { cellOf } from './path-cell.ts';
import { PathChart } from './path-chart.tsx';
import type { ChosenPlace } from './path-chart.tsx';
import { placeName, unitsOf } from './path-words.ts';
import type { PathPlace, Paths } from './path-words.ts';
import type { PathQuestion } from './use-path-question.ts';
import { countColumn, WholePaths } from './whole-paths.tsx';
import { EmptyCard } from '../../../ui/page.tsx';
import { showName } from '../../../ui/shown-name.ts';

/** Shows the events after an event, or before it, as a chart, a table and whole paths. */
export function PathsAnswer(props: {
  paths: Paths;
  query: PathQuestion['query'];
  report: ReportState;
}) {
  const { paths, query, report } = props;
  const [chosen, choose] = useState<ChosenPlace | null>(null);
  const { show } = useDrillDown();
  const { event_name, direction } = paths;
  if (paths.count === 0) {
    return (
      <EmptyCard title="No such events">
        <code className="name">{showName(event_name)}</code> did not happen in these days, or not as
        the conditions say.
      </EmptyCard>
    );
  }
  const isNext = direction === 'next';
  const nameOf = (place: PathPlace | null) => placeName(place, event_name, isNext);
  const rows = paths.links.map(({ step, from, to, ...counted }) => ({
    key: `${step} ${from} ${to}`,
    step,
    from: nameOf(step === 1 ? null : paths.steps[step - 2]![from]!),
    to: nameOf(paths.steps[step - 1]![to]!),
    ...counted,
  }));
  type Row = (typeof rows)[number];
  return (
    <Stack gap="md">
      <ReportCard
        id="paths"
        title={
          <span className="name">
            {isNext ? 'After' : 'Before'} <code>{showName(event_name)}</code>
          </span>
        }
        caption={<Words paths={paths} name={event_name} isNext={isNext} chosen={chosen} />}
        actions={report.pinAndFile('paths', `${isNext ? 'After' : 'Before'} ${event_name}`)}
        isWaiting={report.isWaiting}
        chart={
          <PathChart
            paths={paths}
            name={event_name}
            isNext={isNext}
            chosen={chosen}
            onChoose={choose}
            onOpen={(place) => show(cellOf(paths, query, place))}
          />
        }
        table={{
          label: 'Steps of the paths',
          rows,
          rowKey: ({ key }) => key,
          columns: [
            memberColumn('step', 'Step'),
            sortedColumn<Row>('from', isNext ? 'After' : 'Before', ({ from }) => (
              <span className="truncate">{from}</span>
            )),
            sortedColumn<Row>('to', isNext ? 'Came' : 'Had come', ({ to }) => (
              <span className="truncate">{to}</span>
            )),
            countColumn(paths),
            shareColumn('share', 'Share', ({ count }: Row) => [count, paths.count]),
          ],
        }}
      />
      <SplitCard
        groups={paths.groups}
        columns={groupColumns(paths, isNext)}
        isWaiting={report.isWaiting}
        caption={`${isNext ? 'The event that came next' : 'The event that came right before'}, as a share of each group.`}
      />
      <WholePaths paths={paths} name={event_name} isNext={isNext} />
    </Stack>
  );
}

type PathGroup = Paths['groups'][number];

/** The maximum number of events with a column. More columns would not fit beside each other. */
const EVENTS_COMPARED = 4;

/** Makes a column for each of the first step's most frequent events, with the event's share in a group. */
function groupColumns(paths: Paths, isNext: boolean): Column<PathGroup>[] {
  const shown = (paths.steps[0] ?? []).filter(
    ({ kind }, index) => kind === 'end' || (kind === 'event' && index < EVENTS_COMPARED),
  );
  return [
    countColumn(paths),
    ...shown.map((place): Column<PathGroup> => {
      return shareColumn(
        `${place.kind} ${place.event_name}`,
        placeName(place, paths.event_name, isNext),
        ({ steps, count }: PathGroup) => {
          const found = steps[0]?.find(
            ({ kind, event_name }) => kind === place.kind && event_name === place.event_name,
          );
          return found === undefined ? null : [found.count, count];
        },
      );
    }),
  ];
}

function Words(props: { paths: Paths; name: string; isNext: boolean; chosen: ChosenPlace | null }) {
  const { paths, name, isNext, chosen } = props;
  const place = chosen && paths.steps[chosen.step - 1]?.[chosen.index];
  if (chosen && place) {
    return (
      <>
        Step {chosen.step}: <b className="name">{placeName(place, name, isNext)}</b> in{' '}
        {unitsOf(place.count, paths)}, {writeShare(place.count, paths.count)}
        {!isFew(paths.count) && ' of all'}.
      </>
    );
  }
  const [first] = paths.steps[0] ?? [];
  const end = paths.steps[0]?.find(({ kind }) => kind === 'end');
  return (
    <>
      {paths.unit === 'sessions' ? (
        <>
          <code>{showName(name)}</code> happened in <b>{unitsOf(paths.count, paths)}</b>.{' '}
        </>
      ) : (
        <>
          <b>{unitsOf(paths.count, paths)}</b> did <code>{showName(name)}</code>.{' '}
        </>
      )}
      {first?.kind === 'event' && (
        <>
          {isNext ? 'Next came' : 'Right before came'} most often{' '}
          <b className="name">{showName(first.event_name)}</b>:{' '}
          {writeShare(first.count, paths.count)}.{' '}
        </>
      )}
      {end && (
        <>
          {writeShare(end.count, paths.count)} {isNext ? 'ended' : 'began'} with it.{' '}
        </>
      )}
      Days in {paths.time_zone}.
    </>
  );
}
