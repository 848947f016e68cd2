import { Group } from '@mantine/core';
import { useState } from 'react';
import { useChange, usePages, useSendsMail } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { LinkDialog } from '../../ui/link-dialog.tsx';
import type { MadeLink } from '../../ui/link-dialog.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { actionsColumn, column } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import type { Answer } from '../../api/operations.ts';

type Invitation = Answer<'GET /v1/games/{game_id}/invitations'>['invitations'][number];

/** Lists the invitations that nobody has accepted yet; renders nothing if there are none. */
export function Invitations() {
  const { game_id, can } = useGame();
  const invitations = usePages('GET /v1/games/{game_id}/invitations', { params: { game_id } });
  const withdraw = useChange('DELETE /v1/games/{game_id}/invitations/{invitation_id}');
  const again = useChange('POST /v1/games/{game_id}/invitations');
  const makeLink = useChange('POST /v1/games/{game_id}/invitations/{invitation_id}/link');
  const sendsMail = useSendsMail();
  const [made, setMade] = useState<MadeLink | null>(null);
  const invite = ({ email, role }: Invitation) =>
    again.mutateAsync({ params: { game_id }, body: { email, role } });
  const showLink = async (invitation: Invitation) => {
    try {
      const isOver = Date.parse(invitation.expires_at) < Date.now();
      const { id, email } = isOver ? await invite(invitation) : invitation;
      const params = { game_id, invitation_id: id };
      setMade({ email, ...(await makeLink.mutateAsync({ params })) });
    } catch (error) {
      notify.failed(error);
    }
  };
  const table = tableOf(invitations, 'invitations');
  if (table.rows?.length === 0 || (!table.rows && !invitations.error)) return null;

  const columns: Column<Invitation>[] = [
    column('email', 'Invited', ({ email }) => <span className="name">{email}</span>),
    column('role', 'Role', ({ role }) => role),
    column('expires', 'Link works until', (row) => <Ago at={row.expires_at} />),
    actionsColumn((row) => {
      const { id: invitation_id, email, role } = row;
      return (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {(role !== 'owner' || can('owner')) &&
            (!sendsMail ? (
              <RowButton aria-label={`Copy link for ${email}`} onClick={() => showLink(row)}>
                Copy link
              </RowButton>
            ) : (
              <RowButton
                aria-label={`Send again to ${email}`}
                onClick={() => notify.outcome(invite(row), `A new link is on its way to ${email}`)}
              >
                Send again
              </RowButton>
            ))}
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
      );
    }),
  ];
  return (
    <div style={{ marginTop: 16 }}>
      <TableCard
        title="Invitations"
        label="Invitations"
        {...table}
        rowKey={({ id }) => id}
        columns={columns}
      />
      <LinkDialog title="Link of the invitation" made={made} onClose={() => setMade(null)}>
        This installation sends no mail. Give this link to <b>{made?.email}</b>.
      </LinkDialog>
    </div>
  );
}
