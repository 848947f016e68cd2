import { formatSignedShare } from '@overworld/contract/percents';
import type { Answer } from '../../../api/operations.ts';
import type { Metric } from '../../../reports/metric.tsx';
import { SHARES } from '../../../ui/charts/line-chart.tsx';
import { formatCount, formatShare } from '../../../ui/format.ts';
import { formatMoney, moneyScale, PER_PLAYER } from './money.ts';

export const REVENUE = 'GET /v1/games/{game_id}/analytics/revenue';
export type Revenue = Answer<typeof REVENUE>;
type RevenueNumbers = Omit<Revenue['period'], 'from' | 'to'>;

/** A metric of the revenue of a day or of a period. */
export interface RevenueMetric extends Metric<RevenueNumbers> {
  title: string;
}

/** @param currency The currency of all amounts. */
export function metricsIn(currency: string): RevenueMetric[] {
  const money = {
    write: (amount: number) => formatMoney(amount, currency),
    scale: moneyScale(currency),
  };
  return [
    {
      value: 'revenue',
      name: 'Revenue',
      title: 'Revenue',
      of: (at) => at.revenue,
      ...money,
    },
    {
      value: 'arpdau',
      name: 'ARPDAU',
      title: 'Revenue per daily active player',
      of: (at) => at.arpdau,
      write: (amount) => formatMoney(amount, currency, PER_PLAYER),
      scale: moneyScale(currency, PER_PLAYER),
    },
    {
      value: 'payers',
      name: 'Payers',
      title: 'Players who paid',
      of: (at) => at.payers,
      write: formatCount,
    },
    {
      value: 'arppu',
      name: 'ARPPU',
      title: 'Revenue per payer',
      of: (at) => at.arppu,
      ...money,
    },
    {
      value: 'paying_share',
      name: 'Paying share',
      title: 'Share of the players of a day who paid',
      of: (at) => at.paying_share,
      write: formatShare,
      scale: SHARES,
    },
  ];
}

/**
 * Writes the change from one period to the next, such as
 * `+12%`, or a dash if there is nothing to compare with.
 */
export function writeChange({ of }: RevenueMetric, before: RevenueNumbers, now: RevenueNumbers) {
  const [from, to] = [of(before), of(now)];
  if (from === null || to === null || from <= 0) return '–';
  return formatSignedShare(to / from - 1);
}
