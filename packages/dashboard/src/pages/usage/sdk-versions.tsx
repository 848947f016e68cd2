import { Badge, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { formatCalendarDay, formatCount } from '../../ui/format.ts';
import { SDK_NAMES } from '../../shell/sdk-names.ts';
import { Card } from '../../ui/page.tsx';
import { column, memberColumn, sortedColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { Note } from '../../ui/text.tsx';

type Versions = Answer<'GET /v1/games/{game_id}/sdk-versions'>;
type Version = Versions['sdk_versions'][number];

const COLUMNS: Column<Version>[] = [
  column('sdk', 'SDK', ({ sdk }) => SDK_NAMES[sdk]),
  column('version', 'Version', ({ version, is_older }) => (
    <Group gap="xs" wrap="nowrap">
      <span className="mono">{version}</span>
      {is_older && <Badge color="ochre">older than the server</Badge>}
    </Group>
  )),
  memberColumn('call_count', 'Calls'),
  sortedColumn('last_day', 'Last call', ({ last_day }) => formatCalendarDay(last_day), {
    align: 'end',
  }),
];

const DAYS = ['7', '30'].map((value) => ({ value, label: `${value} days` }));

/** Shows the SDK versions that call in this environment, and which of them are older than the server. */
export function SdkVersions() {
  const { environment, inEnvironment } = useGame();
  const [days, setDays] = useState('7');
  const query = useRead(
    'GET /v1/games/{game_id}/sdk-versions',
    inEnvironment({}, { days: Number(days) }),
    { keep: true },
  );
  return (
    <Card
      flush
      title={`SDK versions, ${ENVIRONMENT_NAMES[environment].toLowerCase()}`}
      actions={
        <SegmentedControl size="xs" aria-label="Days" value={days} onChange={setDays} data={DAYS} />
      }
    >
      <DataTable
        label="SDK versions"
        rows={query.data?.sdk_versions}
        rowKey={({ sdk, version }) => `${sdk} ${version}`}
        columns={COLUMNS}
        query={query}
        emptyTitle="No SDK has called"
        emptyWords="The SDKs name their version with each call."
      />
      {query.data && (
        <Note p="md">
          <Rest versions={query.data} />
        </Note>
      )}
    </Card>
  );
}

function Rest({ versions }: { versions: Versions }) {
  const { server_version, unnamed_call_count, other_call_count } = versions;
  const sentences = [
    `The server has release ${server_version}, and gives out the SDKs of this release. Days are in UTC.`,
    unnamed_call_count > 0 &&
      `${formatCount(unnamed_call_count)} calls named no SDK: they came by plain HTTP or from an earlier SDK.`,
    other_call_count > 0 &&
      `${formatCount(other_call_count)} calls named further versions, or none that is valid.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
