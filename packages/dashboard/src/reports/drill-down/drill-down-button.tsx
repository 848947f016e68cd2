import type { ReactNode } from 'react';
import type { PlayerGroup } from '../players/player-selection.ts';
import classes from './drill-down.module.css';
import { describeCell, useDrillDown } from './cells.ts';
import type { Cell } from './cells.ts';

/** A number of a report. A click on the number opens the list of the players behind it. */
export function DrillDownButton(props: {
  cell: Cell;
  /** Limits the list to the players of this group. */
  group?: PlayerGroup;
  children: ReactNode;
}) {
  const { cell, group, children } = props;
  const { show } = useDrillDown();
  return (
    <button
      type="button"
      className={classes.number}
      title={`Show the players: ${describeCell(cell)}`}
      onClick={() => show(cell, group)}
    >
      {children}
    </button>
  );
}
