import { sharesOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { CardSplitLines } from '../../../reports/players/split-chart.tsx';
import { writeShare } from '../../../ui/format.ts';
import { cameBack } from './cohorts.ts';
import { CurveChart, curveLines, toldShares } from './curve-chart.tsx';
import { NewestCohorts } from './newest-cohorts.tsx';

export const drawRetention: DrawCard<'retention'> = (retention, { chart }) => {
  const { cohorts, average, groups } = retention;
  const isEmpty = cohorts.every(({ player_count }) => player_count === 0);
  if (isEmpty || (average[1] ?? null) === null) return null;
  const isCurve = chart === 'curve' && toldShares(retention).length > 0;
  return {
    words: (
      <>
        <b>{writeShare(...cameBack(cohorts, 1))}</b> came back the next day
      </>
    ),
    chart: !isCurve ? (
      <NewestCohorts retention={retention} />
    ) : groups.length > 0 ? (
      <CardSplitLines {...curveLines(retention)} />
    ) : (
      <CurveChart retention={retention} />
    ),
    groups: sharesOf('Came back the next day', groups, (group) => cameBack(group.cohorts, 1)),
  };
};
