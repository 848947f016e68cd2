import type { DrawCard } from '../../../reports/cards/draw-card.ts';
import { drawMetric } from '../../../reports/cards/draw-metric.tsx';
import { METRICS, NEW_PLAYERS, playersOf } from './metrics.tsx';

export const drawActivePlayers: DrawCard<'active-players'> = (report, { chart }) =>
  drawMetric([...METRICS, NEW_PLAYERS], chart, report, playersOf);
