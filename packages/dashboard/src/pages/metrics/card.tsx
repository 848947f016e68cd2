import type { DrawCard } from '../../reports/cards/draw-card.ts';
import { drawMetric } from '../../reports/cards/draw-metric.tsx';
import { sizeOf, toChartMetric } from './metric-words.ts';

export const drawMetricCard: DrawCard<'metric'> = (report, { chart }) =>
  report.days.every(({ base }) => base === 0)
    ? null
    : drawMetric([toChartMetric(report)], chart, report, sizeOf);
