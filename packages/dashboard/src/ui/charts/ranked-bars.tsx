import type { ReactNode } from 'react';
import classes from './ranked-bars.module.css';

interface RankedBar {
  key: string;
  name: ReactNode;
  /** The number that the length of the bar shows; null if there is no number. */
  value: number | null;
  text: string;
  /** True if the bar is not compared with the others, such as the bar of all remaining groups. */
  isAside?: boolean;
}

/** A list of bars, one below the other, so there is room for long names. */
export function RankedBars(props: {
  label: string;
  bars: readonly RankedBar[];
  /** The number at which a bar is full, such as 1 for shares; by default the largest number. */
  full?: number;
}) {
  const { label, bars, full } = props;
  const highest = full ?? Math.max(...bars.map(({ value }) => value ?? 0), Number.MIN_VALUE);
  return (
    <ol className={classes.bars} aria-label={label}>
      {bars.map(({ key, name, value, text, isAside = false }) => (
        <li key={key} className={classes.bar}>
          <span className={classes.name}>{name}</span>
          <span className={classes.track}>
            <span
              className={classes.fill}
              data-aside={isAside || undefined}
              // A bar cannot be shorter than zero. The text beside it shows negative numbers.
              style={{ width: `${Math.min(1, Math.max(0, value ?? 0) / highest) * 100}%` }}
            />
          </span>
          <span className={classes.text}>{text}</span>
        </li>
      ))}
    </ol>
  );
}
