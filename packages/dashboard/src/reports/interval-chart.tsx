import { showName } from '../ui/shown-name.ts';
import classes from './interval-chart.module.css';

/** An interval of a difference, in numbers that `write` formats. */
export interface ShownInterval {
  low: number;
  high: number;
  /** The difference in the middle of the interval. */
  middle: number;
  write: (value: number) => string;
}

interface Row {
  name: string;
  /** `better` and `worse` have colours. */
  verdict: string | null;
  shown: ShownInterval;
}

/** Draws the interval in which a difference probably lies, for each row, on a common scale. */
export function IntervalChart({ label, rows }: { label: string; rows: readonly Row[] }) {
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
