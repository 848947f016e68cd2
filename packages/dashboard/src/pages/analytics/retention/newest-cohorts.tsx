import { formatCount } from '../../../ui/format.ts';
import { CohortTable } from './cohort-table.tsx';
import { lastDayOf, nameOf } from './cohorts.ts';
import type { Retention } from './cohorts.ts';
import { cellText, lookOf } from './retention-triangle.tsx';
import classes from './retention-triangle.module.css';

/** With more rows, the card would be longer than the charts beside it. */
const COHORTS_SHOWN = 8;

/**
 * Shows the newest cohorts that have players, and the share of their players who came back on each day.
 */
export function NewestCohorts({ retention }: { retention: Retention }) {
  const cohorts = retention.cohorts
    .filter(({ player_count }) => player_count > 0)
    .slice(-COHORTS_SHOWN);
  const days = Array.from({ length: Math.max(1, lastDayOf(retention)) }, (_, index) => index + 1);
  return (
    <CohortTable label="Retention of the newest cohorts" days={days}>
      {cohorts.map((cohort) => (
        <tr key={cohort.first_day}>
          <th scope="row">{nameOf(cohort)}</th>
          <td className={classes.count}>{formatCount(cohort.player_count)}</td>
          {days.map((day) => {
            const came = cohort.active[day] ?? null;
            if (came === null) return <td key={day} />;
            const share = came / cohort.player_count;
            return (
              <td key={day} {...lookOf(share, cohort.player_count)}>
                {cellText(came, cohort.player_count)}
              </td>
            );
          })}
        </tr>
      ))}
    </CohortTable>
  );
}
