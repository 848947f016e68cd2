import { Button, Group } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { use } from 'react';
import type { ReactNode } from 'react';
import { Card } from '../ui/page.tsx';
import { useSearchState } from '../ui/search-state.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import type { DataTableProps } from '../ui/tables/data-table.tsx';
import { OutsideContext } from './outside/outside-button.tsx';
import classes from './report-card.module.css';

interface ReportCardProps<Row> {
  /** Names the card in the URL while its table is shown. */
  id: string;
  title: ReactNode;
  /** Says in words what the chart shows. */
  caption: ReactNode;
  /** Shown above the chart, up to the edges of the card. */
  head?: ReactNode;
  chart: ReactNode;
  /** The numbers of the chart. The reader can see them in place of the chart. */
  table: DataTableProps<Row>;
  actions?: ReactNode;
  /** True while the next answer is being loaded. */
  isWaiting?: boolean;
}

/** A card with a chart, words about it, and a table of its numbers. */
export function ReportCard<Row>(props: ReportCardProps<Row>) {
  const { id, title, caption, head, chart, table, actions, isWaiting = false } = props;
  const outside = use(OutsideContext);
  const { search, set } = useSearchState();
  const shown = search.getAll('table');
  const asTable = shown.includes(id);
  const toggle = () =>
    set({ table: asTable ? shown.filter((each) => each !== id) : [...shown, id] });
  return (
    <Card
      flush
      title={title}
      actions={
        <Group gap={6}>
          <Button
            size="xs"
            variant={asTable ? 'light' : 'default'}
            leftSection={<IconTable size={14} aria-hidden />}
            aria-pressed={asTable}
            onClick={toggle}
          >
            Table
          </Button>
          {actions}
          {outside}
        </Group>
      }
    >
      <div className={isWaiting ? classes.waiting : undefined} aria-busy={isWaiting}>
        <div className={classes.captioned}>
          <Caption>{caption}</Caption>
        </div>
        {head}
        {asTable ? (
          <DataTable {...table} density="compact" />
        ) : (
          <div className={classes.body}>{chart}</div>
        )}
      </div>
    </Card>
  );
}

export function Caption({ children }: { children: ReactNode }) {
  return <p className={classes.caption}>{children}</p>;
}
