import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Note } from '../../../ui/text.tsx';
import { column, memberColumn, sortedColumn } from '../../../ui/tables/columns.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import { shareColumn } from '../../../ui/share.tsx';
import { formatCount } from '../../../ui/format.ts';
import type { Readable } from '../../../ui/page.tsx';
import { useSearchState } from '../../../ui/search-state.ts';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import classes from '../event-table.module.css';
import { TextLink } from '../../../ui/links.tsx';
import { showName } from '../../../ui/shown-name.ts';

type Counts = Answer<'GET /v1/games/{game_id}/analytics/events'>;
type Row = Counts['events'][number];

/** The names of events, each with its count. A click on a name shows the chart of that event. */
export function EventNames({ query }: { query: Readable<Counts> }) {
  const counts = query.data;
  const { path } = useGame();
  const { search, set } = useSearchState();
  const total = counts?.event_count ?? 0;
  return (
    <>
      <DataTable
        label="Events by name"
        minWidth={560}
        rows={counts?.events}
        query={query}
        rowKey={({ event_name }) => event_name}
        columns={[
          sortedColumn<Row>('event_name', 'Event', ({ event_name }) => (
            <button
              type="button"
              className={classes.name}
              aria-pressed={event_name === search.get('event_name')}
              onClick={() => set({ event_name })}
            >
              <code className="truncate">{showName(event_name)}</code>
            </button>
          )),
          { ...memberColumn('event_count', 'Events'), width: 96 },
          {
            ...shareColumn('share', 'Share', (row: Row) => [row.event_count, total]),
            width: 90,
          },
          column<Row>('trend', 'Over time', { width: 132 }, ({ counts: values }) => (
            <Sparkline values={values} />
          )),
          column<Row>(
            'newest',
            <span className="visually-hidden">Newest</span>,
            { align: 'end', width: 90 },
            ({ event_name }) => (
              <TextLink
                to={path(`events?${new URLSearchParams({ event_name })}`)}
                aria-label={`Newest ${event_name}`}
              >
                Newest
              </TextLink>
            ),
          ),
        ]}
        emptyTitle="No events in this range"
        emptyWords="Choose a longer range, or send events to this environment."
      />
      {counts !== undefined && counts.other_name_count > 0 && (
        <Note p="sm">And {formatCount(counts.other_name_count)} less frequent names.</Note>
      )}
    </>
  );
}
