import { sharesOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { RankedBars } from '../../../ui/charts/ranked-bars.tsx';
import { countOf, formatCount, formatShare, isFew, writeShare } from '../../../ui/format.ts';
import { CardSplitLines } from '../../../reports/players/split-chart.tsx';
import { stepLines } from './step-lines.ts';
import { showName } from '../../../ui/shown-name.ts';

export const drawFunnel: DrawCard<'funnel'> = ({ steps, groups }) => {
  const [first, last] = [steps[0]!, steps.at(-1)!];
  if (first.players === 0) return null;
  return {
    words: (
      <>
        <b>{writeShare(last.players, first.players)}</b>
        {!isFew(first.players) && ` of ${countOf(first.players, 'player')}`} took all {steps.length}{' '}
        steps
      </>
    ),
    chart:
      groups.length > 0 ? (
        <CardSplitLines {...stepLines({ steps, groups })} />
      ) : (
        <RankedBars
          label="Steps of the funnel"
          bars={steps.map((step, index) => ({
            key: String(index),
            name: <code className="name">{showName(step.event_name)}</code>,
            value: step.players,
            text: isFew(first.players)
              ? formatCount(step.players)
              : `${formatShare(step.share_of_first ?? 0)}, ${formatCount(step.players)}`,
          }))}
        />
      ),
    groups: sharesOf('Took all steps', groups, (group) => [
      group.steps.at(-1)!.players,
      group.steps[0]!.players,
    ]),
  };
};
