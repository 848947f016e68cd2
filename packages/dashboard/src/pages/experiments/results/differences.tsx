import { intervalOf, nameOfMetric } from '../experiment-words.ts';
import type { MetricResult, VariantResult, ShownInterval } from '../experiment-words.ts';
import classes from './interval-chart.module.css';
import { showName } from '../../../ui/shown-name.ts';

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

interface Row {
  name: string;
  verdict: VariantResult['verdict'];
  shown: ShownInterval;
}

/**
 * Draws the interval in which the difference between a variant and the control probably lies, for each
 * variant.
 */
function IntervalChart({ label, rows }: { label: string; rows: readonly Row[] }) {
  const ends = rows.flatMap(({ shown: { low, high } }) => [low, high]);
  const widest = Math.max(...ends.map(Math.abs), Number.MIN_VALUE) * 1.05;
  /** 0 is in the middle, so readers can compare gains with losses. */
  const placeOf = (value: number) => `${50 + (value / widest) * 50}%`;
  return (
    <ul className={classes.chart} aria-label={label}>
      {rows.map(({ name, verdict, shown: { low, high, middle, write } }) => (
        <li key={name} className={classes.row}>
          <span className={`${classes.name} truncate`}>{showName(name)}</span>
          <span className={classes.track}>
            <span className={classes.zero} style={{ left: '50%' }} />
            <span
              className={classes.range}
              data-verdict={verdict}
              style={{ left: placeOf(low), width: `${((high - low) / widest) * 50}%` }}
            />
            <span className={classes.middle} style={{ left: placeOf(middle) }} />
          </span>
          <span className={classes.text}>
            {write(low)} to {write(high)}
          </span>
        </li>
      ))}
    </ul>
  );
}
