import type { Cell } from '../../../reports/drill-down/cells.ts';
import type { Revenue } from './revenue-metrics.ts';

/** The players who paid on some days, as the report counts them. */
export const payersCell = (
  { currency, is_converted }: Revenue,
  { from, to }: { from: string; to: string },
): Cell => ({
  report: 'revenue',
  from,
  to,
  ...(!is_converted && currency !== null && { currency }),
});
