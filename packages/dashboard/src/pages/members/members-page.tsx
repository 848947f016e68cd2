import { Button, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import { useState } from 'react';
import { useChange, usePages, useRequired } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { IconPlus } from '../../ui/icons.ts';
import { notify } from '../../ui/notify.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { grantableRoles, RoleHelp } from './roles.tsx';

type Member = Answer<'GET /v1/games/{game_id}/members'>['members'][number];

export function Component() {
  const { game_id, can } = useGame();
  const me = useRequired('GET /v1/auth/me', {});
  const members = usePages('GET /v1/games/{game_id}/members', { params: { game_id } });
  const update = useChange('PATCH /v1/games/{game_id}/members/{account_id}');
  const [inviting, invite] = useDisclosure();
  const [memberToRemove, setMemberToRemove] = useState<Member | null>(null);
  /** The role that one is about to give to oneself. */
  const [ownRole, setOwnRole] = useState<Role | null>(null);
  const mayChange = (member: Member) => can(member.role === 'owner' ? 'owner' : 'admin');

  const setRole = (account_id: string, role: Role) =>
    update.mutateAsync({ params: { game_id, account_id }, body: { role } });
  const changeRole = ({ account_id, email, role: before }: Member, role: Role) =>
    setRole(account_id, role).then(
      () => notify.undoable(`${email} is now ${role}`, () => setRole(account_id, before)),
      notify.failed,
    );
  // Shown at once, and taken back with a message when it is refused.
  const roleOf = ({ account_id, role }: Member) =>
    update.isPending && update.variables.params.account_id === account_id
      ? update.variables.body.role
      : role;

  const columns: Column<Member>[] = [
    {
      id: 'email',
      head: 'Member',
      value: (member) => member.email,
      cell: (member) => (
        <span className="name">
          {member.email}
          {member.account_id === me.id && ' (you)'}
        </span>
      ),
    },
    {
      id: 'role',
      head: 'Role',
      value: (member) => ROLES.indexOf(member.role),
      width: 170,
      cell: (member) =>
        mayChange(member) ? (
          <Select
            size="xs"
            miw={130}
            aria-label={`Role of ${member.email}`}
            data={grantableRoles(can)}
            value={roleOf(member)}
            allowDeselect={false}
            onChange={(role) => {
              if (role === null || role === member.role) return;
              if (member.account_id === me.id) setOwnRole(role);
              else void changeRole(member, role);
            }}
          />
        ) : (
          member.role
        ),
    },
    {
      id: 'joined_at',
      head: 'Joined',
      value: (member) => Date.parse(member.joined_at),
      cell: (member) => <Ago at={member.joined_at} />,
    },
    {
      id: 'remove',
      head: <span className="visually-hidden">Remove</span>,
      align: 'end',
      cell: (member) =>
        (mayChange(member) || member.account_id === me.id) && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="clay"
            aria-label={member.account_id === me.id ? 'Leave' : `Remove ${member.email}`}
            onClick={() => setMemberToRemove(member)}
          >
            {member.account_id === me.id ? 'Leave' : 'Remove'}
          </Button>
        ),
    },
  ];

  return (
    <Page
      title="Members"
      lead={<RoleHelp />}
      actions={
        can('admin') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={invite.open}>
            Invite
          </Button>
        )
      }
    >
      <Card flush>
        <DataTable
          label="Members"
          columns={columns}
          {...tableOf(members, 'members')}
          rowKey={({ account_id }) => account_id}
          empty={null}
        />
      </Card>
      {can('admin') && <Invitations />}
      <InviteDialog opened={inviting} onClose={invite.close} />
      <Confirm
        opened={ownRole !== null}
        onClose={() => setOwnRole(null)}
        title={`Become ${ownRole} yourself?`}
        action={`Become ${ownRole}`}
        onConfirm={() => setRole(me.id, ownRole!)}
      >
        You cannot undo this: somebody else has to give your role back to you.
      </Confirm>
      <RemoveMemberDialog member={memberToRemove} onClose={() => setMemberToRemove(null)} />
    </Page>
  );
}
