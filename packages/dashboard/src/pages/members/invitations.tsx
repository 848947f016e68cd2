import { Group } from '@mantine/core';
import { useChange, usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { actionsColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import type { Answer } from '../../api/operations.ts';

type Invitation = Answer<'GET /v1/games/{game_id}/invitations'>['invitations'][number];

/** The invitations that nobody has accepted yet; renders nothing while there are none. */
export function Invitations() {
  const { game_id, can } = useGame();
  const invitations = usePages('GET /v1/games/{game_id}/invitations', { params: { game_id } });
  const withdraw = useChange('DELETE /v1/games/{game_id}/invitations/{invitation_id}');
  const again = useChange('POST /v1/games/{game_id}/invitations');
  const table = tableOf(invitations, 'invitations');
  if (table.rows?.length === 0 || (!table.rows && !table.error)) return null;

  const columns: Column<Invitation>[] = [
    { id: 'email', head: 'Invited', cell: ({ email }) => <span className="name">{email}</span> },
    { id: 'role', head: 'Role', cell: ({ role }) => role },
    { id: 'expires', head: 'Link works until', cell: (row) => <Ago at={row.expires_at} /> },
    actionsColumn(({ id: invitation_id, email, role }) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {(role !== 'owner' || can('owner')) && (
          <RowButton
            aria-label={`Send again to ${email}`}
            onClick={() =>
              notify.outcome(
                again.mutateAsync({ params: { game_id }, body: { email, role } }),
                `A new link was sent to ${email}`,
              )
            }
          >
            Send again
          </RowButton>
        )}
        <RowButton
          danger
          aria-label={`Withdraw invitation of ${email}`}
          onClick={() =>
            withdraw.mutate({ params: { game_id, invitation_id } }, { onError: notify.failed })
          }
        >
          Withdraw
        </RowButton>
      </Group>
    )),
  ];
  return (
    <div style={{ marginTop: 16 }}>
      <TableCard
        title="Invitations"
        label="Invitations"
        {...table}
        rowKey={({ id }) => id}
        columns={columns}
        empty={null}
      />
    </div>
  );
}
