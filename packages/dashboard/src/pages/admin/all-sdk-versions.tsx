import { Badge, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { gamePath } from '../../shell/game.ts';
import { SDK_NAMES } from '../../shell/sdk-names.ts';
import { formatCalendarDay, formatCount } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Card } from '../../ui/page.tsx';
import { column, memberColumn, sortedColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { Note } from '../../ui/text.tsx';

type Versions = Answer<'GET /v1/admin/sdk-versions'>;
type Version = Versions['sdk_versions'][number];

const DAYS = ['7', '30'].map((value) => ({ value, label: `${value} days` }));

const COLUMNS: Column<Version>[] = [
  column('sdk', 'SDK', ({ sdk, version, is_older }) => (
    <Group gap="xs">
      {SDK_NAMES[sdk]} <span className="mono">{version}</span>
      {is_older && <Badge color="ochre">older than the server</Badge>}
    </Group>
  )),
  column('games', 'Games', (row) => <Games version={row} />),
  memberColumn('call_count', 'Calls'),
  sortedColumn('last_day', 'Last call', ({ last_day }) => formatCalendarDay(last_day), {
    align: 'end',
  }),
];

/** The SDK versions that call any game of the installation. */
export function AllSdkVersions() {
  const [days, setDays] = useState('7');
  const versions = useRead(
    'GET /v1/admin/sdk-versions',
    { query: { days: Number(days) } },
    { keep: true },
  );
  return (
    <Card
      flush
      title="SDK versions of all games"
      actions={
        <SegmentedControl size="xs" aria-label="Days" value={days} onChange={setDays} data={DAYS} />
      }
    >
      <DataTable
        label="SDK versions of all games"
        rows={versions.data?.sdk_versions}
        rowKey={({ sdk, version }) => `${sdk} ${version}`}
        columns={COLUMNS}
        query={versions}
        emptyTitle="No SDK has called"
        emptyWords="The SDKs name their version with each call."
      />
      {versions.data && (
        <Note p="md">
          The server has release {versions.data.server_version}.{' '}
          {formatCount(versions.data.unnamed_call_count)} calls named no SDK, and{' '}
          {formatCount(versions.data.other_call_count)} named further versions or none that is
          valid. A caller can invent versions. Days are in UTC.
        </Note>
      )}
    </Card>
  );
}

function Games({ version: { games, game_count } }: { version: Version }) {
  const others = game_count - games.length;
  return (
    <>
      {games.map(({ id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <TextLink to={gamePath(id, 'production')}>{name}</TextLink>
        </span>
      ))}
      {others > 0 && ` and ${formatCount(others)} more`}
    </>
  );
}
