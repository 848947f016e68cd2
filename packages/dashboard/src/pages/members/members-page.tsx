import { Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ROLES } from '@overworld/contract/operation';
import type { Role } from '@overworld/contract/operation';
import { useState } from 'react';
import { useForm } from '@mantine/form';
import { useChange, usePages, useRequired, useSendsMail } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { AddButton, RowButton } from '../../ui/buttons.tsx';
import { Confirm, DialogForm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { actionsColumn, agoColumn, column, sortedColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { notify } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { Invitations } from './invitations.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { VerifyAddress } from '../../ui/verify-address.tsx';

type Member = Answer<'GET /v1/games/{game_id}/members'>['members'][number];

export function Component() {
  const { game_id, can } = useGame();
  const me = useRequired('GET /v1/auth/me', {});
  const members = usePages('GET /v1/games/{game_id}/members', { params: { game_id } });
  const update = useChange('PATCH /v1/games/{game_id}/members/{account_id}');
  const [inviting, invite] = useDisclosure();
  const [memberToRemove, setMemberToRemove] = useState<Member | null>(null);
  /** The dialog about a new role that readers are about to give themselves. */
  const becoming = useDialog<Role>();
  const mayChange = (member: Member) => can(member.role === 'owner' ? 'owner' : 'admin');

  const setRole = (account_id: string, role: Role) =>
    update.mutateAsync({ params: { game_id, account_id }, body: { role } });
  const changeRole = ({ account_id, email, role: before }: Member, role: Role) =>
    notify.outcome(setRole(account_id, role), `${email} is now ${role}`, () =>
      setRole(account_id, before),
    );
  // A new role is shown immediately. A refusal brings the old role back, with a message.
  const roleOf = ({ account_id, role }: Member) =>
    update.isPending && update.variables.params.account_id === account_id
      ? update.variables.body.role
      : role;

  const columns: Column<Member>[] = [
    sortedColumn('email', 'Member', (member) => (
      <span className="name">
        {member.email}
        {member.account_id === me.id && ' (you)'}
      </span>
    )),
    column(
      'role',
      'Role',
      { value: (member) => ROLES.indexOf(member.role), width: 170 },
      (member) =>
        mayChange(member) ? (
          <Select
            size="xs"
            miw={130}
            aria-label={`Role of ${member.email}`}
            data={grantableRoles(can)}
            value={roleOf(member)}
            onChange={(role) => {
              if (role === null || role === member.role) return;
              if (member.account_id === me.id) becoming.open(role);
              else changeRole(member, role);
            }}
          />
        ) : (
          member.role
        ),
    ),
    agoColumn('joined_at', 'Joined'),
    actionsColumn((member) => {
      const isSelf = member.account_id === me.id;
      return (
        (mayChange(member) || isSelf) && (
          <RowButton
            danger
            aria-label={isSelf ? 'Leave' : `Remove ${member.email}`}
            onClick={() => setMemberToRemove(member)}
          >
            {isSelf ? 'Leave' : 'Remove'}
          </RowButton>
        )
      );
    }),
  ];

  return (
    <Page
      title="Members"
      lead={ROLE_HELP}
      actions={can('admin') && <AddButton onClick={invite.open}>Invite</AddButton>}
    >
      <TableCard
        label="Members"
        columns={columns}
        {...tableOf(members, 'members')}
        rowKey={({ account_id }) => account_id}
      />
      {can('admin') && <Invitations />}
      <FormDialog opened={inviting} onClose={invite.close} title="Invite a member">
        <InviteForm />
      </FormDialog>
      <Confirm
        {...becoming.frame}
        title={`Become ${becoming.item} yourself?`}
        action={`Become ${becoming.item}`}
        onConfirm={() => setRole(me.id, becoming.item!)}
      >
        You cannot undo this: somebody else has to give your role back to you.
      </Confirm>
      <RemoveMemberDialog member={memberToRemove} onClose={() => setMemberToRemove(null)} />
    </Page>
  );
}

function InviteForm() {
  const { game_id, can } = useGame();
  const invite = useChange('POST /v1/games/{game_id}/invitations');
  const isMailed = useSendsMail();
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'developer' },
  });
  const submit = async (body: typeof form.values) => {
    const { email } = await invite.mutateAsync({ params: { game_id }, body });
    notify.done(
      isMailed
        ? `The invitation to ${email} is on its way`
        : `${email} is invited: copy the link below and hand it on`,
    );
  };
  return (
    <DialogForm form={form} onSubmit={submit} action={isMailed ? 'Send invitation' : 'Invite'}>
      <VerifyAddress />
      <TextInput label="E-mail" type="email" data-autofocus {...form.getInputProps('email')} />
      <Select label="Role" data={grantableRoles(can)} {...form.getInputProps('role')} />
    </DialogForm>
  );
}

/** Lists the roles that the reader may give. Only an owner can make owners. */
const grantableRoles = (can: (role: Role) => boolean): Role[] =>
  ROLES.filter((role) => role !== 'owner' || can('owner'));

/** The rights of each role, for the head of the page. */
const ROLE_HELP =
  'Viewers can read everything. Developers can also edit definitions, config, players and development keys. Admins can also manage production keys and members, and delete data. Owners can also delete the game.';
