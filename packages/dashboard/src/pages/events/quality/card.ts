import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { drawMetric } from '../../../reports/cards/draw-metric.tsx';
import { QUALITY_METRICS, totalsByDay } from './quality-metrics.ts';

export const drawDataQuality: DrawCard<'data-quality'> = (report, { chart }) =>
  drawMetric(QUALITY_METRICS, chart, { ...report, days: totalsByDay(report) });
