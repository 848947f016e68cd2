import { Button, Group, Stack } from '@mantine/core';
import { DEFAULT_PROGRESSION_PAGE, LEFT_AFTER_DAYS } from '@overworld/contract/analytics/limits';
import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import { PageSplitLines } from '../../../reports/players/split-chart.tsx';
import { SplitCard } from '../../../reports/players/split-card.tsx';
import { ReportCard } from '../../../reports/report-card.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { useGame } from '../../../shell/game.ts';
import { countOf, formatCount, formatRatio } from '../../../ui/format.ts';
import { TextLink } from '../../../ui/links.tsx';
import { EmptyCard } from '../../../ui/page.tsx';
import { Share, shareColumn } from '../../../ui/share.tsx';
import { showName } from '../../../ui/shown-name.ts';
import { column, memberColumn, numberColumn } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import { InZone } from '../../../ui/time/moment.tsx';
import { Dimmed } from '../../../ui/text.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { stepChart, worstOf } from './metrics.ts';
import type { Progression, Step } from './metrics.ts';
import { pathsBefore, playersOf } from './step-cells.ts';
import type { ProgressionQuestion } from './use-progression-question.ts';

/** Shows the steps as a chart and a table, each number with the players behind it. */
export function ProgressionAnswer(props: {
  progression: Progression;
  question: ProgressionQuestion;
  report: ReportState;
}) {
  const { progression, question, report } = props;
  const { metric } = question;
  const { path } = useGame();
  const { steps, groups, from, to } = progression;
  if (progression.step_count === 0) {
    return (
      <EmptyCard title="No such events">
        No player did <code className="name">{showName(question.start_event)}</code> with{' '}
        <code className="name">{showName(question.property)}</code> in these days, or not as the
        conditions say.
      </EmptyCard>
    );
  }
  const cells = playersOf(question, { from, to });
  const chart = <PageSplitLines {...stepChart(progression, metric)} />;
  const table = {
    label: 'Numbers of each step',
    rows: [...steps],
    rowKey: ({ value }: Step) => value,
    minWidth: 860,
    columns: stepColumns(cells, (step) => path(pathsBefore(question, { from, to }, step.value))),
  };
  return (
    <Stack gap="md">
      <ReportCard
        id="steps"
        title={metric.title}
        caption={<Words progression={progression} question={question} />}
        actions={report.pinAndFile(metric.value, `${metric.name} by ${question.property}`, {
          offset: undefined,
        })}
        isWaiting={report.isWaiting}
        chart={
          <>
            {chart}
            <DataTable {...table} />
            <Pages progression={progression} question={question} />
          </>
        }
        table={table}
      />
      <SplitCard
        groups={groups}
        columns={GROUP_COLUMNS}
        caption="The largest groups come first. Players have the value that they have now."
        isWaiting={report.isWaiting}
      />
    </Stack>
  );
}

function Words({
  progression,
  question,
}: {
  progression: Progression;
  question: ProgressionQuestion;
}) {
  const { players, left, steps, other_step_count, time_zone } = progression;
  const worst = worstOf(steps);
  return (
    <>
      Of <b>{countOf(players, 'player')}</b>, {formatCount(left)} left: they were not active in the
      last {LEFT_AFTER_DAYS} days, nor after these days.{' '}
      {worst && (
        <>
          Most left at <code>{showName(question.property)}</code>{' '}
          <b className="name">{showName(worst.value)}</b>: {formatCount(worst.left)} of{' '}
          {countOf(worst.players, 'player')}.{' '}
        </>
      )}
      {other_step_count > 0 &&
        `${countOf(other_step_count, 'further value')} with fewer events ${other_step_count === 1 ? 'is' : 'are'} not listed. `}
      <InZone zone={time_zone} />
    </>
  );
}

function Pages({
  progression,
  question,
}: {
  progression: Progression;
  question: ProgressionQuestion;
}) {
  const { step_count, steps } = progression;
  const { page, setPage } = question;
  if (step_count <= DEFAULT_PROGRESSION_PAGE) return null;
  const first = (page - 1) * DEFAULT_PROGRESSION_PAGE;
  return (
    <Group gap="xs" mt="sm">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
        Previous steps
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={first + steps.length >= step_count}
        onClick={() => setPage(page + 1)}
      >
        Next steps
      </Button>
      <Dimmed>
        Steps {formatCount(first + 1)} to {formatCount(first + steps.length)} of{' '}
        {formatCount(step_count)}
      </Dimmed>
    </Group>
  );
}

function stepColumns(
  cells: ReturnType<typeof playersOf>,
  pathsOf: (step: Step) => string,
): Column<Step>[] {
  const counted = (
    id: string,
    head: string,
    numberOf: (step: Step) => number | null,
    cellOf: (step: Step) => Cell | null,
  ): Column<Step> => ({
    ...numberColumn(id, head, numberOf),
    cell: (step) => {
      const [number, cell] = [numberOf(step), cellOf(step)];
      if (number === null || cell === null) return '–';
      return number === 0 ? (
        '0'
      ) : (
        <DrillDownButton cell={cell}>{formatCount(number)}</DrillDownButton>
      );
    },
  });
  return [
    column<Step>('value', 'Step', ({ value }) => (
      <span className="truncate" title={value}>
        {showName(value)}
      </span>
    )),
    memberColumn('players', 'Players'),
    // The players who left come first, so that they stay in sight in a narrow place.
    counted('left', 'Left', ({ left }) => left, cells.left),
    {
      ...shareColumn('left_share', 'Share', ({ left, players }: Step) => [left, players]),
      cell: ({ left, players }) => <Share part={left} whole={players} />,
    },
    counted('starts', 'Starts', ({ starts }) => starts, cells.starts),
    counted('fails', 'Fails', ({ fails }) => fails, cells.fails),
    counted('completions', 'Completed', ({ completions }) => completions, cells.completions),
    shareColumn('fail_ratio', 'Fail ratio', ({ fails, completions }: Step) =>
      fails === null || completions === null ? null : [fails, fails + completions],
    ),
    numberColumn(
      'tries',
      'Tries',
      ({ tries_per_completion }: Step) => tries_per_completion,
      formatRatio,
    ),
    column<Step>(
      'paths',
      <span className="visually-hidden">What players did before</span>,
      { align: 'end', width: 92, kept: true },
      (step) => (
        <TextLink to={pathsOf(step)} aria-label={`What players did before, at ${step.value}`}>
          Before
        </TextLink>
      ),
    ),
  ];
}

type ProgressionGroup = Progression['groups'][number];

const GROUP_COLUMNS: Column<ProgressionGroup>[] = [
  memberColumn('players', 'Players'),
  memberColumn('left', 'Left'),
  shareColumn('left_share', 'Share', ({ left, players }: ProgressionGroup) => [left, players]),
  numberColumn('steps', 'Steps reached', ({ steps }) => steps.length),
];
