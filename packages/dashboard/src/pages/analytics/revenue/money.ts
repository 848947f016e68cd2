import { currencyDigits } from '@overworld/contract/analytics/currencies';
import type { Scale } from '../../../ui/charts/line-chart.tsx';

interface MoneyForm {
  /** The number of decimals beyond those of the currency. */
  more_digits?: number;
  /** True for a difference, which is written with its sign. */
  isSigned?: boolean;
}

/**
 * The form of a mean per player, which may be a fraction of a cent. All means have the same number of
 * decimals, so that readers can compare them.
 */
export const PER_PLAYER: MoneyForm = { more_digits: 2 };

/** Writes an amount of money, such as 1234.5 as `€1,234.50`, or as `€1,234.5000` in the form `PER_PLAYER`. */
export function formatMoney(
  amount: number,
  currency: string,
  { more_digits = 0, isSigned = false }: MoneyForm = {},
): string {
  const digits = currencyDigits(currency) + more_digits;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: isSigned ? 'exceptZero' : 'negative',
  });
  return format.format(amount).replace('-', '−');
}

/** The scale of a chart's axis for money, with ticks such as `€1.2K`. */
export const moneyScale = (currency: string, form?: MoneyForm): Scale => {
  const tick = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumSignificantDigits: 3,
  });
  return {
    value: (amount) => formatMoney(amount, currency, form),
    tick: (amount) => tick.format(amount),
    unit: 0.001,
  };
};
