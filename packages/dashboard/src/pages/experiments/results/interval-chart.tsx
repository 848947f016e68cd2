import type { ShownInterval, VariantResult } from '../experiment-words.ts';
import classes from './interval-chart.module.css';

interface Row {
  name: string;
  verdict: VariantResult['verdict'];
  shown: ShownInterval;
}

/** The difference of each variant to the control, with its interval. */
export function IntervalChart({ label, rows }: { label: string; rows: readonly Row[] }) {
  const ends = rows.flatMap(({ shown: { low, high } }) => [low, high]);
  const widest = Math.max(...ends.map(Math.abs), Number.MIN_VALUE) * 1.05;
  /** 0 is in the middle, so that gains and losses compare. */
  const placeOf = (value: number) => `${50 + (value / widest) * 50}%`;
  return (
    <ul className={classes.chart} aria-label={label}>
      {rows.map(({ name, verdict, shown: { low, high, middle, write } }) => (
        <li key={name} className={classes.row}>
          <span className={`${classes.name} truncate`}>{name}</span>
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
