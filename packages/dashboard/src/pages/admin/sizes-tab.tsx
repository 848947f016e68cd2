import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { gamePath } from '../../shell/game.ts';
import { countOf, formatBytes } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Card } from '../../ui/page.tsx';
import type { Failable } from '../../ui/page.tsx';
import { memberColumn, nameColumn, sortedColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { Note } from '../../ui/text.tsx';
import { Ago } from '../../ui/time/moment.tsx';

type Sizes = Answer<'GET /v1/admin/sizes'>;
type Table = Sizes['tables'][number];
type Game = Sizes['games'][number];

/** The tables that are shown at first. The others are nearly always small. */
const FIRST_TABLES = 12;

const REFRESH_MS = 60_000;

const GAME_COLUMNS: Column<Game>[] = [
  sortedColumn('name', 'Game', ({ id, name }) => (
    <TextLink to={gamePath(id, 'production')} className="name">
      {name}
    </TextLink>
  )),
  memberColumn('estimated_bytes', 'Size, about', formatBytes),
  memberColumn('event_count', 'Events kept'),
  memberColumn('player_count', 'Players'),
  memberColumn('save_bytes', 'Cloud saves', formatBytes),
  memberColumn('leaderboard_entry_count', 'Scores'),
  memberColumn('ledger_row_count', 'Submits in ledgers'),
];

const TABLE_COLUMNS: Column<Table>[] = [
  nameColumn('name', 'Table', ({ name }) => name, 'code'),
  memberColumn('bytes', 'Size', formatBytes),
  memberColumn('index_bytes', 'Of this, indexes', formatBytes),
  memberColumn('row_count', 'Rows, about'),
];

/** The games and the tables that take the most space. */
export function SizesTab() {
  const sizes = useRead('GET /v1/admin/sizes', {}, { every: REFRESH_MS });
  const nodes = sizes.data?.unreachable_nodes ?? [];
  return (
    <Stack gap="md">
      {nodes.length > 0 && (
        <Alert
          color="ochre"
          title={`${countOf(nodes.length, 'node')} of the cluster did not answer`}
        >
          The data on {nodes.join(', ')} is not counted here.
        </Alert>
      )}
      <Card flush title="Games by size">
        <DataTable
          label="Games by size"
          rows={sizes.data?.games}
          query={sizes}
          rowKey={({ id }) => id}
          columns={GAME_COLUMNS}
          emptyTitle="No game has data yet"
          emptyWords="A game appears here with its first event, player or save."
        />
        {sizes.data && sizes.data.games.length > 0 && (
          <Note p="md">
            The size is an estimate: the part of each table that belongs to the game by these
            counts. Events are those that counted against the quota, in the months that are kept.
            Measured <Ago at={sizes.data.measured_at} />.
          </Note>
        )}
      </Card>
      <Tables sizes={sizes.data} query={sizes} />
    </Stack>
  );
}

function Tables({ sizes, query }: { sizes: Sizes | undefined; query: Failable }) {
  const [showsAll, setShowsAll] = useState(false);
  const tables = sizes?.tables;
  const rest = showsAll ? [] : (tables?.slice(FIRST_TABLES) ?? []);
  const rest_bytes = rest.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <Card flush title="Tables by size">
      <DataTable
        label="Tables by size"
        rows={tables?.slice(0, tables.length - rest.length)}
        query={query}
        rowKey={({ name }) => name}
        columns={TABLE_COLUMNS}
      />
      {rest.length > 0 && (
        <Note p="md">
          {countOf(rest.length, 'other table')} {rest.length === 1 ? 'takes' : 'take'}{' '}
          {formatBytes(rest_bytes)}.{' '}
          <Button variant="subtle" size="compact-xs" onClick={() => setShowsAll(true)}>
            Show all tables
          </Button>
        </Note>
      )}
    </Card>
  );
}
