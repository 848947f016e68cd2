import { use } from 'react';
import { OutsideContext } from '../../../reports/outside/outside-button.tsx';
import { Card } from '../../../ui/page.tsx';
import { shareColumn } from '../../../ui/share.tsx';
import { column, memberColumn } from '../../../ui/tables/columns.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import type { Paths } from './path-words.ts';
import classes from './path-chart.module.css';

type Path = Paths['paths'][number];

/** Makes a column with the number of sessions or players that a row counts. */
export const countColumn = ({ unit }: Paths) =>
  memberColumn('count', unit === 'sessions' ? 'Sessions' : 'Players');

/** Lists the most frequent paths, each with all its events. */
export function WholePaths(props: { paths: Paths; name: string; isNext: boolean }) {
  const { paths, name, isNext } = props;
  return (
    <Card flush title="Most frequent paths" actions={use(OutsideContext)}>
      <DataTable
        label="Most frequent paths"
        density="compact"
        rows={paths.paths}
        rowKey={({ events, has_ended }) => JSON.stringify([events, has_ended])}
        columns={[
          column<Path>('path', 'Path', (path) => <PathNames {...{ path, name, isNext }} />),
          countColumn(paths),
          shareColumn('share', 'Share', ({ count }: Path) => [count, paths.count]),
        ]}
      />
    </Card>
  );
}

/** The events of a path in the order of time. */
function PathNames({ path, name, isNext }: { path: Path; name: string; isNext: boolean }) {
  const followed = path.events.map((event) => event ?? 'All others');
  const end = path.has_ended ? [isNext ? 'ended' : 'began'] : [];
  const names = isNext ? [name, ...followed, ...end] : [...end, ...followed.toReversed(), name];
  return (
    <span className={classes.path}>
      {names.map((each, index) => (
        <span key={index}>
          {index > 0 && (
            <span aria-label="then" role="img">
              {' → '}
            </span>
          )}
          <span className="name">{each}</span>
        </span>
      ))}
    </span>
  );
}
