import { intervalOf, nameOfMetric } from '../experiment-words.ts';
import type { MetricResult, VariantResult } from '../experiment-words.ts';
import { IntervalChart } from '../../../reports/interval-chart.tsx';

/**
 * Shows, for one metric, how much each variant differs from the control. Shows nothing while no variant
 * has enough data.
 */
export function Differences({ result }: { result: MetricResult }) {
  const [control, ...others] = result.variants as [VariantResult, ...VariantResult[]];
  const rows = others.flatMap((of) => {
    const shown = intervalOf(result, of, control);
    return shown === null ? [] : [{ name: of.name, verdict: of.verdict, shown }];
  });
  if (rows.length === 0) return null;
  const label = `${nameOfMetric(result.metric)}, difference to ${control.name}`;
  return <IntervalChart label={label} rows={rows} />;
}
