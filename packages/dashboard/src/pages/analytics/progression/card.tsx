import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { groupsOf } from '../../../reports/cards/card-groups.tsx';
import { CardSplitLines } from '../../../reports/players/split-chart.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { METRICS, stepChart, worstOf } from './metrics.ts';

export const drawProgression: DrawCard<'progression'> = (progression, { chart }) => {
  const { steps, players, groups } = progression;
  const metric = METRICS.find(({ value }) => value === chart);
  if (metric === undefined || steps.length === 0) return null;
  const worst = worstOf(steps);
  return {
    words: (
      <>
        <b>{countOf(players, 'player')}</b>
        {worst && (
          <>
            , most left at <b className="name">{worst.value}</b>: {formatCount(worst.left)}
          </>
        )}
      </>
    ),
    chart: <CardSplitLines {...stepChart(progression, metric)} />,
    groups:
      groups.length > 0 ? groupsOf('Players who left', groups, ({ left }) => left) : undefined,
  };
};
