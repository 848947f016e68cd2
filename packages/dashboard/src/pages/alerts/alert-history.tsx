import { Badge, Text } from '@mantine/core';
import { describeReading } from '@overworld/contract/alerts/alert-words';
import { usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Dimmed, Note } from '../../ui/text.tsx';
import { Moment } from '../../ui/time/moment.tsx';
import { agoColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { tableOf } from '../../ui/tables/table-card.tsx';
import type { AlertRow } from './alert-values.ts';

const HISTORY = 'GET /v1/games/{game_id}/alerts/{alert_id}/history';
type Change = Answer<typeof HISTORY>['changes'][number];

/** The changes of the state of an alert. */
export function AlertHistory({ alert }: { alert: AlertRow }) {
  const { game_id } = useGame();
  const changes = usePages(HISTORY, { params: { game_id, alert_id: alert.id } });
  const columns: Column<Change>[] = [
    column('state', 'State', { width: 110 }, ({ state }) => (
      <Badge color={state === 'firing' ? 'clay' : 'moss'}>
        {state === 'firing' ? 'Fired' : 'Resolved'}
      </Badge>
    )),
    agoColumn('at', 'When'),
    column('reading', 'Period', (change) => (
      <>
        <Text size="sm">{describeReading(alert, change)}</Text>
        <Note>
          {alert.period} from <Moment at={change.period_started_at} to="minute" />
          {!change.notified && ', nobody was told'}
        </Note>
      </>
    )),
  ];
  const table = tableOf(changes, 'changes');
  if (table.rows?.length === 0) {
    return <Dimmed py="md">The state has not changed in the last 90 days.</Dimmed>;
  }
  return <DataTable label="History" columns={columns} {...table} rowKey={({ id }) => id} />;
}
