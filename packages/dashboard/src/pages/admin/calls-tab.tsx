import { Stack } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, gamePath } from '../../shell/game.ts';
import { countOf, formatCount, formatDuration } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Card } from '../../ui/page.tsx';
import { showName } from '../../ui/shown-name.ts';
import { column, memberColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { Note } from '../../ui/text.tsx';
import { AllSdkVersions } from './all-sdk-versions.tsx';

type Calls = Answer<'GET /v1/admin/recent-calls'>;
type CallerRow = Calls['callers'][number];
type NetworkRow = Calls['networks'][number];
type Caller = CallerRow['caller'];

const REFRESH_MS = 10_000;

const KINDS: Record<Caller['kind'], string> = {
  key: 'API key',
  access_token: 'Access token',
  account: 'Account',
  nobody: 'No valid credentials',
};

const callColumns = <Row extends CallerRow>(): Column<Row>[] => [
  column('caller', 'Caller', ({ caller }) => <CallerName caller={caller} />),
  column('operation', 'Call', ({ operation }) =>
    operation === null ? (
      'Pages, files and unknown paths'
    ) : (
      <code className="truncate">{operation}</code>
    ),
  ),
  memberColumn('call_count', 'Calls'),
  memberColumn('refused_count', 'Refused'),
  memberColumn('failed_count', 'Failed'),
];

const CALLER_COLUMNS = callColumns<CallerRow>();
const NETWORK_COLUMNS: Column<NetworkRow>[] = [
  column('network', 'Network', ({ network }) => <span className="mono">{network}</span>),
  ...callColumns<NetworkRow>(),
];

/** The callers, networks and SDKs with the most calls. */
export function CallsTab() {
  const calls = useRead('GET /v1/admin/recent-calls', {}, { every: REFRESH_MS });
  const none = {
    query: calls,
    emptyTitle: 'No calls in the last five minutes',
    emptyWords: 'Only this server counts here, and only since its start.',
  };
  return (
    <Stack gap="md">
      <Card flush title="What calls">
        <DataTable
          label="What calls"
          rows={calls.data?.callers}
          rowKey={nameRow}
          columns={CALLER_COLUMNS}
          {...none}
        />
        {calls.data && <Window calls={calls.data} />}
      </Card>
      <Card flush title="From where">
        <DataTable
          label="From where"
          rows={calls.data?.networks}
          rowKey={(row) => `${row.network} ${nameRow(row)}`}
          columns={NETWORK_COLUMNS}
          {...none}
        />
        <Note p="md">
          A network is an IPv4 address, or an IPv6 /64. If all calls come from the address of your
          proxy, TRUST_PROXY does not name it. Addresses are kept for five minutes, only in memory.
        </Note>
      </Card>
      <AllSdkVersions />
    </Stack>
  );
}

const nameRow = ({ caller, operation }: CallerRow) => `${caller.kind} ${caller.id} ${operation}`;

function CallerName({ caller }: { caller: Caller }) {
  const { kind, name, game_id, game_name, environment } = caller;
  return (
    <Stack gap={0}>
      <span className="name">{name === null ? KINDS[kind] : showName(name)}</span>
      {game_id !== null && environment !== null && (
        <Note className="name">
          <TextLink to={gamePath(game_id, environment)}>{game_name}</TextLink>,{' '}
          {ENVIRONMENT_NAMES[environment].toLowerCase()}
        </Note>
      )}
      {name !== null && game_id === null && <Note>{KINDS[kind]}</Note>}
      {name === null && kind !== 'nobody' && <Note>deleted</Note>}
    </Stack>
  );
}

function Window({ calls: { call_count, window_seconds, callers } }: { calls: Calls }) {
  const listed = callers.reduce((sum, row) => sum + row.call_count, 0);
  const rest = call_count - listed;
  return (
    <Note p="md">
      {countOf(call_count, 'call')} in the last {formatDuration(window_seconds)} to this server
      {rest > 0 && `; the ${formatCount(rest)} that are not listed here are of smaller callers`}.
      Refused calls were answered 400 to 499, failed ones 500 or more.
    </Note>
  );
}
