import type { ListTotal } from '@overworld/contract/list-total';
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

interface PagedQuery<Page> {
  data: { pages: Page[] } | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

type RowOf<List> = List extends readonly (infer Row)[] ? Row : never;

/** Returns the rows of all pages so far, or undefined before the first page. */
export function listOf<Page, K extends keyof Page>(
  query: Pick<PagedQuery<Page>, 'data'>,
  plural: K,
): RowOf<Page[K]>[] | undefined {
  return query.data?.pages.flatMap((page) => page[plural] as never);
}

/** Makes the props of a DataTable for a list that is loaded page by page. */
export function tableOf<Page, K extends keyof Page>(query: PagedQuery<Page>, plural: K) {
  const rows = listOf(query, plural);
  const [first] = (query.data?.pages ?? []) as unknown as { total?: ListTotal }[];
  const loaded = { count: rows?.length ?? 0, is_exact: true };
  return {
    rows,
    total: first?.total && (query.hasNextPage ? first.total : loaded),
    query,
    more: {
      available: query.hasNextPage,
      busy: query.isFetchingNextPage,
      load: () => query.fetchNextPage(),
    },
  };
}
