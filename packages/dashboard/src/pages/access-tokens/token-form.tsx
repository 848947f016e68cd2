import { MultiSelect, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  DEFAULT_ACCESS_TOKEN_DAYS,
  MAX_ACCESS_TOKEN_DAYS,
} from '@overworld/contract/access-tokens/limits';
import { TOKEN_ROLES } from '@overworld/contract/operation';
import type { TokenRole } from '@overworld/contract/operation';
import { useState } from 'react';
import { useChange, useRequired } from '../../api/hooks.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { showName } from '../../ui/shown-name.ts';
import { Dimmed } from '../../ui/text.tsx';
import { ConfirmFirst, OwnerCheck, useOwnerCheck } from '../account/owner-check.tsx';
import { NewKey } from '../api-keys/shown-key.tsx';

const ROLE_WORDS: Record<TokenRole, string> = {
  reports: 'Reports only',
  viewer: 'Viewer',
  developer: 'Developer',
  admin: 'Admin',
  owner: 'Owner',
};
const LIFETIMES = [7, 30, DEFAULT_ACCESS_TOKEN_DAYS, 180, MAX_ACCESS_TOKEN_DAYS];

interface TokenFormProps {
  game_id?: string;
  /** The role that the form suggests. */
  role?: TokenRole;
}

/** Makes an access token for games of the reader. The form suggests the game of the page, or the only game. */
export function TokenForm(props: TokenFormProps) {
  const owner = useOwnerCheck();
  const [isConfirmed] = useState(owner.by !== 'nothing');
  return isConfirmed ? <ConfirmedForm {...props} /> : <ConfirmFirst />;
}

function ConfirmedForm(props: TokenFormProps) {
  const { game_id } = props;
  const owner = useOwnerCheck();
  // Administrators see all games, but tokens are only for games of which they are members.
  const { memberships } = useRequired('GET /v1/auth/me', {});
  const create = useChange('POST /v1/access-tokens');
  const [token, setToken] = useState<string | null>(null);
  const suggested = memberships.filter((own) =>
    game_id === undefined ? memberships.length === 1 : own.game_id === game_id,
  );
  const form = useForm({
    initialValues: {
      name: '',
      game_ids: suggested.map((own) => own.game_id),
      role: props.role ?? ('viewer' as TokenRole),
      expires_in_days: String(DEFAULT_ACCESS_TOKEN_DAYS),
      password: '',
    },
  });
  const { game_ids, role } = form.values;
  const isTooHigh = (each: TokenRole) =>
    memberships.some(
      (own) =>
        game_ids.includes(own.game_id) && TOKEN_ROLES.indexOf(own.role) < TOKEN_ROLES.indexOf(each),
    );

  if (token !== null) return <NewToken value={token} />;
  return (
    <DialogForm
      form={form}
      onSubmit={({ expires_in_days, password, ...values }) =>
        create.mutateAsync({
          body: { ...values, ...owner.proof(password), expires_in_days: Number(expires_in_days) },
        })
      }
      onDone={(made) => setToken(made.token)}
      action="Make token"
      isStep
    >
      <TextInput
        label="Name"
        description="The machine that gets it, such as “Nightly build”"
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <MultiSelect
        label="Games"
        data={memberships.map((own) => ({ value: own.game_id, label: showName(own.game_name) }))}
        placeholder={game_ids.length === 0 ? 'Choose games' : undefined}
        searchable
        clearable
        {...form.getInputProps('game_ids')}
      />
      <Select
        label="Role"
        description={
          role === 'reports'
            ? 'Reads reports on all players, and dashboards'
            : 'Never more than your own role in a game, also if that changes'
        }
        data={TOKEN_ROLES.map((value) => ({
          value,
          label: ROLE_WORDS[value],
          disabled: isTooHigh(value),
        }))}
        allowDeselect={false}
        {...form.getInputProps('role')}
      />
      <Select
        label="Works for"
        data={LIFETIMES.map((days) => ({ value: String(days), label: `${days} days` }))}
        allowDeselect={false}
        {...form.getInputProps('expires_in_days')}
      />
      <OwnerCheck {...form.getInputProps('password')} />
    </DialogForm>
  );
}

function NewToken({ value }: { value: string }) {
  return (
    <NewKey value={value} copy="Copy token">
      <Dimmed>
        Put it where your machine keeps secrets, such as the secrets of your CI, and send it as{' '}
        <code>Authorization: Bearer</code>. Everybody who has it can do what it may do.
      </Dimmed>
    </NewKey>
  );
}
