import { DrillDownButton } from '../../../reports/drill-down/drill-down-button.tsx';
import type { Cell } from '../../../reports/drill-down/cells.ts';
import type { EventChoice } from '../../../reports/questions/event-choice.ts';
import type { ReportData } from '../../../reports/report-data.ts';
import {
  countOf,
  formatCount,
  formatDuration,
  formatShare,
  isFew,
  writeShare,
} from '../../../ui/format.ts';
import { describe } from '../../../ui/conditions/conditions.ts';
import classes from './funnel-steps.module.css';
import { showName } from '../../../ui/shown-name.ts';

export type Funnel = ReportData['funnel'];
export type FunnelStep = Funnel['steps'][number];

/**
 * Shows each step of a funnel as a bar. The text between two bars is about the players who reached the upper
 * step. It states the share that went on, the number that stopped, and the time until the next step.
 */
export function FunnelSteps(props: {
  steps: readonly FunnelStep[];
  asked: readonly EventChoice[];
  cellOf: (step: number, outcome: 'reached' | 'stopped') => Cell;
}) {
  const { steps, asked, cellOf } = props;
  return (
    <ol aria-label="Steps of the funnel">
      {steps.map((step, index) => (
        <li key={index}>
          {index > 0 && (
            <Between from={steps[index - 1]!} to={step} left={cellOf(index, 'stopped')} />
          )}
          <div className={classes.head}>
            <span className={classes.number} aria-hidden>
              {index + 1}
            </span>
            <span className={classes.name}>
              <code className="name">{showName(step.event_name)}</code>
              {(asked[index]?.filter ?? []).map((condition) => (
                <span key={describe(condition)} className={`${classes.condition} name`}>
                  {describe(condition)}
                </span>
              ))}
            </span>
            <span className={classes.count}>
              {!isFew(steps[0]!.players) && <b>{formatShare(step.share_of_first ?? 0)}</b>}{' '}
              <DrillDownButton cell={cellOf(index + 1, 'reached')}>
                {countOf(step.players, 'player')}
              </DrillDownButton>
            </span>
          </div>
          <div className={classes.track}>
            <div
              className={classes.fill}
              style={{ width: `${(step.share_of_first ?? 0) * 100}%` }}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Between(props: { from: FunnelStep; to: FunnelStep; left: Cell }) {
  const { from, to, left } = props;
  const { median_seconds, p25_seconds, p75_seconds } = to;
  const lost = from.players - to.players;
  return (
    <div className={classes.between}>
      <span>
        {writeShare(to.players, from.players)} went on,{' '}
        <DrillDownButton cell={left}>{formatCount(lost)} stopped</DrillDownButton>
      </span>
      {median_seconds !== null && (
        <span>
          after {formatDuration(median_seconds)}
          {p25_seconds !== null && p75_seconds !== null && p25_seconds < p75_seconds && (
            <>
              {' '}
              (half of them {formatDuration(p25_seconds)} to {formatDuration(p75_seconds)})
            </>
          )}
        </span>
      )}
    </div>
  );
}
