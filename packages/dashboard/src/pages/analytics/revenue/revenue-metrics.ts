import type { Metric } from '../../../reports/metric.tsx';
import type { ReportData } from '../../../reports/report-data.ts';
import { sum } from '../../../reports/summary.ts';
import { SHARES } from '../../../ui/charts/line-chart.tsx';
import { formatCount, formatShare } from '../../../ui/format.ts';
import { formatMoney, moneyScale, PER_PLAYER } from './money.ts';

export type Revenue = ReportData['revenue'];
type RevenueNumbers = Omit<Revenue['period'], 'from' | 'to'>;

/** A metric of the revenue of a day or of a period. */
export interface RevenueMetric extends Metric<RevenueNumbers> {
  title: string;
}

/** The players of a group, each counted on each day on which they were active. */
export const sizeOf = (days: readonly RevenueNumbers[]): number =>
  sum(days.map(({ active_players }) => active_players));

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
      base: (at) => at.purchase_count,
      isSum: true,
      ...money,
    },
    {
      value: 'arpdau',
      name: 'ARPDAU',
      title: 'Revenue per daily active player',
      of: (at) => at.arpdau,
      base: (at) => at.active_players,
      write: (amount) => formatMoney(amount, currency, PER_PLAYER),
      scale: moneyScale(currency, PER_PLAYER),
    },
    {
      value: 'payers',
      name: 'Payers',
      title: 'Players who paid',
      of: (at) => at.payers,
      write: formatCount,
      isSum: true,
    },
    {
      value: 'arppu',
      name: 'ARPPU',
      title: 'Revenue per payer',
      of: (at) => at.arppu,
      base: (at) => at.payers,
      ...money,
    },
    {
      value: 'paying_share',
      name: 'Paying share',
      title: 'Share of the players of a day who paid',
      of: (at) => at.paying_share,
      base: (at) => at.active_players,
      isShare: true,
      write: formatShare,
      scale: SHARES,
    },
  ];
}

/** The currency of a card. Without it, the card would change to another one when that is bought with more often. */
export const pinnedCurrency = ({ currency, is_converted }: Revenue) => ({
  currency: is_converted ? undefined : (currency ?? undefined),
});
