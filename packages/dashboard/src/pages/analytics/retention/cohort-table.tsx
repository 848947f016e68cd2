import type { ComponentProps, ReactNode } from 'react';
import { useOverflow } from '../../../ui/tables/use-overflow.ts';
import classes from './retention-triangle.module.css';

/** The frame of a table with a row for each cohort and a column for each day after the first. */
export function CohortTable(props: {
  label: string;
  days: readonly number[];
  isWaiting?: boolean;
  table?: ComponentProps<'table'>;
  children: ReactNode;
}) {
  const { label, days, isWaiting, table, children } = props;
  const overflow = useOverflow();
  return (
    <div
      ref={overflow.ref}
      className={classes.scroll}
      data-scrolls={overflow.scrolls || undefined}
      data-more={overflow.hasMore || undefined}
      data-waiting={isWaiting || undefined}
      aria-busy={isWaiting}
      role="region"
      aria-label={label}
      tabIndex={overflow.scrolls ? 0 : undefined}
    >
      <table className={classes.triangle} {...table}>
        <thead>
          <tr>
            <th scope="col">New on</th>
            <th scope="col" className={classes.count}>
              Players
            </th>
            {days.map((day) => (
              <th key={day} scope="col">
                <span className="visually-hidden">Day </span>
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
