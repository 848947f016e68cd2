import { groupsOf } from '../../../reports/cards/card-groups.tsx';
import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { drawMetric } from '../../../reports/cards/draw-metric.tsx';
import { countOf } from '../../../ui/format.ts';
import { LengthBars } from './length-bars.tsx';
import { METRICS, sizeOf } from './metrics.ts';

export const drawSessions: DrawCard<'sessions'> = (report, { chart }) => {
  if (chart !== 'lengths') return drawMetric(METRICS, chart, report, sizeOf);
  const { session_count, length_classes, groups } = report;
  if (session_count === 0) return null;
  return {
    words: <b>{countOf(session_count, 'session')}</b>,
    chart: <LengthBars classes={length_classes} />,
    groups: groupsOf('Sessions', groups, (group) => group.session_count),
  };
};
