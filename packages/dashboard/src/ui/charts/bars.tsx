import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './bars.module.css';
import { formatCount } from '../format.ts';

/** A small bar chart. The accent marks the last bar or all of them. */
export function Bars(props: {
  label: string;
  bars: {
    name: string;
    value: number;
    /** Called for a click on the bar. If it is given, the bar is a button. */
    onOpen?: () => void;
  }[];
  accent?: 'last' | 'all';
}) {
  const highest = Math.max(1, ...props.bars.map(({ value }) => value));
  return (
    <ol className={classes.bars} aria-label={props.label} data-accent={props.accent ?? 'last'}>
      {props.bars.map(({ name, value, onOpen }) => (
        <Tooltip key={name} label={`${name}: ${formatCount(value)}`} openDelay={0}>
          <li className={classes.bar}>
            <Bar onOpen={onOpen}>
              <span className={classes.track}>
                <span
                  className={classes.fill}
                  style={{ height: `${(value / highest) * 100}%`, minHeight: value > 0 ? 2 : 0 }}
                />
              </span>
              <span className={classes.name}>{name}</span>
              <span className="visually-hidden">{formatCount(value)}</span>
            </Bar>
          </li>
        </Tooltip>
      ))}
    </ol>
  );
}

const Bar = ({ onOpen, children }: { onOpen?: () => void; children: ReactNode }) =>
  onOpen === undefined ? (
    children
  ) : (
    <button type="button" className={classes.button} onClick={onOpen}>
      {children}
    </button>
  );
