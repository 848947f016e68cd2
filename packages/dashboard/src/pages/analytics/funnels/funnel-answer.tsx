import { writeChoice } from '../../../reports/questions/event-choice.ts';
import type { EventChoice } from '../../../reports/questions/event-choice.ts';
import { ReportCard } from '../../../reports/report-card.tsx';
import { column } from '../../../ui/tables/columns.tsx';
import type { Column } from '../../../ui/tables/columns.tsx';
import type { ReportState } from '../../../reports/use-report.tsx';
import { countOf, formatCount, formatDuration, isFew, writeShare } from '../../../ui/format.ts';
import { shareColumn } from '../../../ui/share.tsx';
import { FunnelSteps } from './funnel-steps.tsx';
import type { Funnel, FunnelStep } from './funnel-steps.tsx';
import { windowWords } from '../../../reports/questions/window-words.ts';
import { InZone } from '../../../ui/time/moment.tsx';
import { EmptyCard } from '../../../ui/page.tsx';
import { showName } from '../../../ui/shown-name.ts';

/** Shows the steps at which players stop, as bars and in words. */
export function FunnelAnswer(props: {
  funnel: Funnel;
  asked: readonly EventChoice[];
  report: ReportState;
  before?: Funnel;
}) {
  const { funnel, asked, report, before } = props;
  const { steps } = funnel;
  const last = steps.at(-1)!;
  if (steps[0]!.players === 0) {
    return (
      <EmptyCard title="Nobody took the first step">
        No player did <code className="name">{showName(steps[0]!.event_name)}</code> in these days,
        or not as the conditions say.
      </EmptyCard>
    );
  }
  return (
    <ReportCard
      id="steps"
      title={`${writeShare(last.players, steps[0]!.players)} took all ${steps.length} steps`}
      caption={<Words funnel={funnel} before={before} />}
      actions={report.pinAndFile('steps', titleOf(steps))}
      isWaiting={report.isWaiting}
      chart={
        <FunnelSteps
          steps={steps}
          asked={asked}
          cellOf={(step, outcome) => ({
            report: 'funnel',
            from: funnel.from,
            to: funnel.to,
            steps: asked.map(writeChoice),
            window_minutes: funnel.window_minutes,
            step,
            outcome,
          })}
        />
      }
      table={{
        label: 'Steps of the funnel',
        rows: steps.map((step, index) => ({ ...step, number: index + 1, all: steps })),
        rowKey: ({ number }) => String(number),
        columns: before === undefined ? COLUMNS : [...COLUMNS, beforeColumn(before)],
      }}
    />
  );
}

/** Makes the title of a funnel, such as `From shop_opened to purchase`. */
const titleOf = (steps: readonly FunnelStep[]) =>
  `From ${steps[0]!.event_name} to ${steps.at(-1)!.event_name}`.slice(0, 255);

function Words({ funnel, before }: { funnel: Funnel; before?: Funnel }) {
  const { steps, window_minutes, time_zone } = funnel;
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const losses = steps.slice(1).map((step, index) => ({ before: steps[index]!, step }));
  const worst = losses.reduce((a, b) =>
    b.before.players - b.step.players > a.before.players - a.step.players ? b : a,
  );
  const lost = worst.before.players - worst.step.players;
  return (
    <>
      Of <b>{countOf(first.players, 'player')}</b> who did <code>{showName(first.event_name)}</code>
      , <b>{formatCount(last.players)}</b> went on to <code>{showName(last.event_name)}</code>{' '}
      within {windowWords(window_minutes)}.{' '}
      {lost > 0 && steps.length > 2 && (
        <>
          Most stop before <code>{showName(worst.step.event_name)}</code>: {formatCount(lost)} of{' '}
          {formatCount(worst.before.players)}.{' '}
        </>
      )}
      {before !== undefined && (
        <>
          In the period before,{' '}
          <b>{writeShare(before.steps.at(-1)!.players, before.steps[0]!.players)}</b>
          {!isFew(before.steps[0]!.players) &&
            ` of ${countOf(before.steps[0]!.players, 'player')}`}{' '}
          took all steps.{' '}
        </>
      )}
      <InZone zone={time_zone} />
    </>
  );
}

/** A step with its number, from 1, and all steps of its funnel. */
type NumberedStep = FunnelStep & { number: number; all: readonly FunnelStep[] };

const seconds = (
  id: 'p25_seconds' | 'median_seconds' | 'p75_seconds',
  head: string,
): Column<FunnelStep> =>
  column(id, head, { align: 'end' }, (step) =>
    step[id] === null ? '–' : formatDuration(step[id]),
  );

/** Makes a column with the share of the players of an earlier step, or of the first itself, who reached a step. */
const share = (
  id: string,
  head: string,
  earlierOf: (step: NumberedStep) => FunnelStep | undefined,
): Column<NumberedStep> => ({
  ...shareColumn(id, head, (step: NumberedStep) => {
    const earlier = earlierOf(step);
    return earlier === undefined ? null : [step.players, earlier.players];
  }),
  value: undefined,
});

const beforeColumn = (before: Funnel): Column<NumberedStep> =>
  column('before', 'Of the first, before', { align: 'end' }, ({ number }) =>
    writeShare(before.steps[number - 1]?.players ?? 0, before.steps[0]!.players),
  );

const COLUMNS: Column<NumberedStep>[] = [
  column('step', 'Step', ({ number, event_name }) => (
    <span className="truncate">
      {number} <code>{showName(event_name)}</code>
    </span>
  )),
  column('players', 'Players', { align: 'end' }, ({ players }) => formatCount(players)),
  share('share_of_first', 'Of the first', ({ all }) => all[0]),
  share('share_of_previous', 'Of the one before', ({ number, all }) => all[number - 2]),
  seconds('p25_seconds', 'First quarter took'),
  seconds('median_seconds', 'Median'),
  seconds('p75_seconds', 'Three quarters took'),
];
