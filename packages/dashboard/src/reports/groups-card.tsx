import { use } from 'react';
import type { ReactNode } from 'react';
import { Card } from '../ui/page.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import type { Column } from '../ui/tables/columns.tsx';
import type { PlayerGroup } from './players/player-selection.ts';
import { OutsideContext } from './outside/outside-button.tsx';
import { Caption } from './report-card.tsx';
import classes from './report-card.module.css';

/** A table with a row for each group of players that share a value of a property. */
export function GroupsCard<G extends PlayerGroup>(props: {
  property: string;
  caption: ReactNode;
  label: string;
  groups: readonly G[];
  columns: Column<G>[];
  /** True while the next answer is being loaded. */
  isWaiting?: boolean;
  /** Shown above the table. */
  chart?: ReactNode;
}) {
  const { property, caption, label, groups, columns, isWaiting = false, chart } = props;
  return (
    <Card
      flush
      actions={use(OutsideContext)}
      title={
        <span className="name">
          By <code>{property}</code>
        </span>
      }
    >
      <div className={classes.captioned}>
        <Caption>{caption}</Caption>
      </div>
      <div className={isWaiting ? classes.waiting : undefined} aria-busy={isWaiting}>
        {chart}
        <DataTable
          label={label}
          rows={[...groups]}
          rowKey={({ kind, value }) => `${kind} ${value}`}
          columns={columns}
        />
      </div>
    </Card>
  );
}
