import { Button, Group } from '@mantine/core';
import { useChange, usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';

/** Invitations that wait to be accepted; nothing while there are none. */
export function Invitations() {
  const { game_id, can } = useGame();
  const invitations = usePages('GET /v1/games/{game_id}/invitations', { params: { game_id } });
  const withdraw = useChange('DELETE /v1/games/{game_id}/invitations/{invitation_id}');
  const again = useChange('POST /v1/games/{game_id}/invitations');
  const table = tableOf(invitations, 'invitations');
  if (table.rows?.length === 0 || (!table.rows && !table.error)) return null;

  return (
    <div style={{ marginTop: 16 }}>
      <Card flush title="Invitations">
        <DataTable
          label="Invitations"
          {...table}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'email',
              head: 'Invited',
              cell: ({ email }) => <span className="name">{email}</span>,
            },
            { id: 'role', head: 'Role', cell: ({ role }) => role },
            { id: 'expires', head: 'Link works until', cell: (row) => <Ago at={row.expires_at} /> },
            {
              id: 'actions',
              head: <span className="visually-hidden">Actions</span>,
              align: 'end',
              cell: ({ id, email, role }) => (
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {(role !== 'owner' || can('owner')) && (
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      aria-label={`Send again to ${email}`}
                      onClick={() =>
                        again
                          .mutateAsync({ params: { game_id }, body: { email, role } })
                          .then(() => notify.done(`A new link was sent to ${email}`))
                          .catch(notify.failed)
                      }
                    >
                      Send again
                    </Button>
                  )}
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="clay"
                    aria-label={`Withdraw invitation of ${email}`}
                    onClick={() =>
                      withdraw
                        .mutateAsync({ params: { game_id, invitation_id: id } })
                        .catch(notify.failed)
                    }
                  >
                    Withdraw
                  </Button>
                </Group>
              ),
            },
          ]}
          empty={null}
        />
      </Card>
    </div>
  );
}
