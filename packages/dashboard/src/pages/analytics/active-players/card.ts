import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { drawMetric } from '../../../reports/cards/draw-metric.tsx';
import { METRICS, NEW_PLAYERS, sizeOf } from './metrics.tsx';

export const drawActivePlayers: DrawCard<'active-players'> = (report, { chart }) =>
  drawMetric([...METRICS, NEW_PLAYERS], chart, report, sizeOf);
