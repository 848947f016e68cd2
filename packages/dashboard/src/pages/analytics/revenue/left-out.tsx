import { MAX_PURCHASE_AMOUNT } from '@overworld/contract/analytics/currencies';
import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf, formatCount } from '../../../ui/format.ts';
import type { Revenue } from './revenue-metrics.ts';
import type { RevenueSettings } from './settings/settings-form.ts';

/**
 * The reasons for which an event is left out because of a mistake. A price of zero is not among them, because
 * games send it on purpose.
 */
const PROBLEMS = ['not_a_number', 'too_large', 'no_currency', 'no_rate'] as const;

export const leftOutCount = ({ left_out }: Revenue): number =>
  PROBLEMS.reduce((total, problem) => total + left_out[problem], 0);

/** Tells how many events are left out of all numbers of the report, and why. */
export function LeftOut({ data, settings }: { data: Revenue; settings: RevenueSettings }) {
  const { left_out } = data;
  const count = leftOutCount(data);
  if (count === 0) return null;
  const words: Record<(typeof PROBLEMS)[number], ReactNode> = {
    not_a_number: (
      <>
        <code className="name">{settings.amount_property}</code> is missing or not a number
      </>
    ),
    too_large: `the amount is beyond ${formatCount(MAX_PURCHASE_AMOUNT)}`,
    no_currency: (
      <>
        <code className="name">{settings.currency_property}</code> is missing or not a currency
      </>
    ),
    no_rate: 'the currency has no rate',
  };
  const told = PROBLEMS.filter((problem) => left_out[problem] > 0);
  return (
    <Alert color="ochre" py="xs" title={`${countOf(count, 'event')} left out`}>
      They are in no number below:{' '}
      {told.map((problem, index) => (
        <span key={problem}>
          {index > 0 && '; '}
          in {countOf(left_out[problem], 'event')} {words[problem]}
        </span>
      ))}
      .
    </Alert>
  );
}
