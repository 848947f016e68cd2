import { Button, List, NumberInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_FREE_GAMES } from '@overworld/contract/tiers';
import { useChange, useRead, useSendsMail } from '../../api/hooks.ts';
import { Confirm, DialogForm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import type { Account } from './account.ts';
import { gamePath } from '../../shell/game.ts';
import { TextLink } from '../../ui/links.tsx';
import { FailureText } from '../../ui/text.tsx';
import { useState } from 'react';
import { LinkDialog } from '../../ui/link-dialog.tsx';
import type { MadeLink } from '../../ui/link-dialog.tsx';
import { showName } from '../../ui/shown-name.ts';

/** Sets how many games on the Free tier an account may own. */
export function GamesLimitForm({ account }: { account: Account }) {
  const { id: account_id, email, max_free_games } = account;
  const save = useChange('PUT /v1/admin/users/{account_id}/limits');
  const form = useForm<{ free_games: number | '' }>({
    initialValues: { free_games: max_free_games ?? '' },
  });
  const submit = async ({ free_games }: typeof form.values) => {
    const body = free_games === '' ? {} : { free_games };
    await save.mutateAsync({ params: { account_id }, body });
    notify.done(`The limit of ${email} is set`);
  };
  return (
    <DialogForm form={form} onSubmit={submit} action="Set limit">
      <Text size="sm" className="name">
        How many games on the Free tier <b>{email}</b> may own. Games on other tiers do not count.
      </Text>
      <NumberInput
        label="Games on the Free tier"
        placeholder={`${MAX_FREE_GAMES}, as for other accounts`}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        data-autofocus
        {...form.getInputProps('free_games')}
      />
    </DialogForm>
  );
}

/** Makes an account, whose owner sets the password by a link. */
export function MakeAccount() {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<MadeLink | null>(null);
  return (
    <>
      <Button ml="auto" onClick={() => setOpen(true)}>
        Make account
      </Button>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title="Make an account">
        <MakeAccountForm onLink={setMade} />
      </FormDialog>
      <LinkDialog title="Link to choose a password" made={made} onClose={() => setMade(null)}>
        Give this link to <b>{made?.email}</b> and to nobody else.
      </LinkDialog>
    </>
  );
}

function MakeAccountForm({ onLink }: { onLink: (made: MadeLink) => void }) {
  const make = useChange('POST /v1/admin/users');
  const sendsMail = useSendsMail();
  const form = useForm({ initialValues: { email: '' } });
  return (
    <DialogForm
      form={form}
      onSubmit={(body) => make.mutateAsync({ body })}
      onDone={(account) => {
        const { email, link, link_expires_at } = account;
        if (link === null) notify.done(`${email} gets an e-mail with a link to choose a password`);
        else onLink({ email, link, expires_at: link_expires_at! });
      }}
      action="Make account"
    >
      <Text size="sm">
        The account is active at once and has no games. Its owner chooses a password by a link,{' '}
        {sendsMail ? 'which is mailed to the address.' : 'which you hand on.'}
      </Text>
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
    </DialogForm>
  );
}

/** The maximum number of keys that the dialog shows. Nobody would read a longer list. */
const SHOWN = 20;

/** Lists the working API keys that an account made. Each has a link to the page where it can be revoked. */
export function KeysMade({ account_id }: { account_id: string }) {
  const keys = useRead('GET /v1/admin/users/{account_id}/api-keys', {
    params: { account_id },
    query: { limit: SHOWN },
  });
  if (keys.error) {
    return <FailureText mt="sm">The API keys that they made cannot be shown.</FailureText>;
  }
  if (!keys.data?.api_keys.length) return null;
  return (
    <>
      <Text size="sm" mt="sm">
        API keys that they made go on working. Revoke or rotate them in their games:
      </Text>
      <List size="sm" mt={4}>
        {keys.data.api_keys.map(({ id, game_id, game_name, name, environment, prefix }) => (
          <List.Item key={id} className="name">
            <TextLink to={gamePath(game_id, environment, 'api-keys')} underline="always">
              {showName(game_name)}
            </TextLink>
            : {name} <code>{prefix}…</code>
          </List.Item>
        ))}
        {keys.data.next_cursor && <List.Item>and more</List.Item>}
      </List>
    </>
  );
}

/** Asks for confirmation, makes a link to reset the password of an account, and shows the link. */
export function ResetLink(props: {
  /** Null while the dialog is closed. */
  account: { id: string; email: string } | null;
  onClose: () => void;
}) {
  const { account, onClose } = props;
  const make = useChange('POST /v1/admin/users/{account_id}/password-reset-link');
  const [made, setMade] = useState<MadeLink | null>(null);
  return (
    <>
      <Confirm
        opened={account !== null}
        onClose={onClose}
        title="Make a link to reset the password?"
        action="Make link"
        onConfirm={async () => {
          const { id, email } = account!;
          setMade({ email, ...(await make.mutateAsync({ params: { account_id: id } })) });
        }}
      >
        Everybody who has the link can set a new password of <b>{account?.email}</b>. Make sure that
        it is the owner who asks. The audit log names you.
      </Confirm>
      <LinkDialog title="Link to reset the password" made={made} onClose={() => setMade(null)}>
        Give this link to <b>{made?.email}</b> and to nobody else.
      </LinkDialog>
    </>
  );
}
