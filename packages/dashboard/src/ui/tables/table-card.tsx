import type { ReactNode } from 'react';
import { Card } from '../page.tsx';
import { DataTable } from './data-table.tsx';
import type { DataTableProps } from './data-table.tsx';

export function TableCard<Row>(
  props: DataTableProps<Row> & { title?: ReactNode; actions?: ReactNode },
) {
  const { title, actions, ...table } = props;
  return (
    <Card flush title={title} actions={actions}>
      <DataTable {...table} />
    </Card>
  );
}
