import { currencyDigits } from '@overworld/contract/analytics/currencies';
import type { Scale } from '../../../ui/charts/line-chart.tsx';

/** Amounts below one get more digits: an ARPDAU may be a fraction of a cent. */
const digitsFor = (amount: number, currency: string) =>
  amount !== 0 && Math.abs(amount) < 1 ? 4 : currencyDigits(currency);

/** 1234.5 as `€1,234.50`. */
export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: currencyDigits(currency),
    maximumFractionDigits: Math.max(currencyDigits(currency), digitsFor(amount, currency)),
  }).format(amount);

/** Money at the axis of a chart, such as `€1.2K`. */
export const moneyScale = (currency: string): Scale => {
  const tick = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumSignificantDigits: 3,
  });
  return {
    value: (amount) => formatMoney(amount, currency),
    tick: (amount) => tick.format(amount),
    unit: 0.001,
  };
};
