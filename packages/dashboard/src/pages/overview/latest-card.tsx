import type { DataTableProps } from '../../ui/tables/data-table.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { TextLink } from '../../ui/text-link.tsx';

interface LatestCardProps<Row> extends Pick<
  DataTableProps<Row>,
  'label' | 'rows' | 'rowKey' | 'rowHref' | 'columns' | 'empty'
> {
  title: string;
  query: { error: unknown; refetch: () => unknown };
  /** Leads to the page with the whole list. */
  link: { to: string; text: string };
}

/** The newest rows of a list, in little room, with a link to the whole list. */
export function LatestCard<Row>({ title, query, link, ...table }: LatestCardProps<Row>) {
  return (
    <TableCard
      title={title}
      actions={<TextLink to={link.to}>{link.text}</TextLink>}
      density="compact"
      minWidth={320}
      query={query}
      {...table}
    />
  );
}
