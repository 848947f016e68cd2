import { currencyDigits } from '../analytics/currencies.ts';
import { formatDuration } from '../durations.ts';
import { formatShare } from '../percents.ts';
import type { MetricUnit } from './metric-limits.ts';

/** Formats of the numbers of metrics. This module imports no schemas, so the dashboard can use it too. */

/** The unit of a metric, and the currency of money. */
export interface MetricForm {
  unit: MetricUnit;
  currency: string | null;
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** Writes a number of a metric in its unit: `1,204`, `3.1%`, `5 min 12 s` or `€1,234.50`. */
export function formatMetric(number: number, { unit, currency }: MetricForm): string {
  switch (unit) {
    case 'percent':
      return formatShare(number);
    case 'duration':
      return number < 0 ? `−${formatDuration(-number)}` : formatDuration(number);
    case 'money':
      return formatMoney(number, currency ?? '');
    default:
      return numbers.format(number).replace('-', '−');
  }
}

function formatMoney(amount: number, currency: string): string {
  const digits = currencyDigits(currency);
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(amount)
    .replace('-', '−');
}
