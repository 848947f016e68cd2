import { Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useForm } from '@mantine/form';
import { useChange } from '../../../api/hooks.ts';
import { makePasskey, passkeysWorkHere } from '../../../api/passkeys.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { DialogForm, FormDialog, useCloseDialog, useDialog } from '../../../ui/forms/dialogs.tsx';
import { notify } from '../../../ui/notify.tsx';
import { RowButton } from '../../../ui/buttons.tsx';
import { FactorRow } from './factor-row.tsx';
import { OwnerForm } from './owner-form.tsx';
import { RecoveryCodes, wordsOn } from './recovery-codes.tsx';
import type { Factors } from './factors.ts';
import { showName } from '../../../ui/shown-name.ts';

export function PasskeyRows({ passkeys }: { passkeys: Passkey[] }) {
  const remove = useChange('POST /v1/auth/second-factors/passkeys/{passkey_id}/remove');
  const [adding, addition] = useDisclosure();
  const renaming = useDialog<Passkey>();
  const removing = useDialog<Passkey>();
  const work = passkeysWorkHere();
  return (
    <>
      <FactorRow
        name="Passkeys"
        actions={
          <RowButton variant="light" disabled={!work} onClick={addition.open}>
            Add a passkey
          </RowButton>
        }
      >
        {work
          ? 'Your device or a security key confirms that it is you. No other site can ask for it.'
          : WHY_NOT}
      </FactorRow>
      {passkeys.map((passkey) => (
        <FactorRow
          key={passkey.id}
          name={passkey.name}
          actions={
            <>
              <RowButton
                aria-label={`Rename ${passkey.name}`}
                onClick={() => renaming.open(passkey)}
              >
                Rename
              </RowButton>
              <RowButton
                danger
                aria-label={`Remove ${passkey.name}`}
                onClick={() => removing.open(passkey)}
              >
                Remove
              </RowButton>
            </>
          }
        >
          Added <Ago at={passkey.created_at} />, last used: <Ago at={passkey.last_used_at} />
        </FactorRow>
      ))}
      <FormDialog opened={adding} onClose={addition.close} title="New passkey">
        <AddPasskeySteps />
      </FormDialog>
      <FormDialog {...renaming.frame} title="Rename passkey">
        {renaming.item && <RenamePasskeyForm passkey={renaming.item} />}
      </FormDialog>
      <FormDialog {...removing.frame} title="Remove this passkey?">
        <OwnerForm
          action="Remove passkey"
          danger
          onConfirm={async (proof) => {
            const params = { passkey_id: removing.item!.id };
            await remove.mutateAsync({ params, body: proof });
            notify.done('The passkey was removed.');
          }}
        >
          <b>{showName(removing.item?.name)}</b> can no longer be used to log in.
          {passkeys.length === 1 &&
            ' Without another second factor, your password alone is enough, and your recovery codes are deleted.'}
        </OwnerForm>
      </FormDialog>
    </>
  );
}

const WHY_NOT = (
  <Text span inherit>
    Passkeys need a name, not a number, in the address of this page, and https: open the dashboard
    at its https address, or on this machine at http://localhost
    {location.port && `:${location.port}`}.
  </Text>
);

type Passkey = Factors['passkeys'][number];

/**
 * Adds a passkey: asks for password and name, lets the browser ask for
 * the passkey, and shows recovery codes if this is the first factor.
 */
function AddPasskeySteps() {
  const close = useCloseDialog();
  const begin = useChange('POST /v1/auth/second-factors/passkeys/options', { leaves: true });
  const add = useChange('POST /v1/auth/second-factors/passkeys');
  const [codes, setCodes] = useState<string[] | null>(null);

  if (codes !== null) return <RecoveryCodes codes={codes} />;
  return (
    <OwnerForm
      action="Add passkey"
      name="Passkey"
      isStep
      onConfirm={async (proof, name) => {
        const { challenge, options } = await begin.mutateAsync({ body: proof });
        const credential = await makePasskey(options);
        const added = await add.mutateAsync({ body: { challenge, name, credential } });
        notify.done(wordsOn('The passkey was added.', added.recovery_codes));
        if (added.recovery_codes === null) close();
        else setCodes(added.recovery_codes);
      }}
    >
      The browser then asks for your fingerprint, face, PIN or security key.
    </OwnerForm>
  );
}

function RenamePasskeyForm({ passkey: { id: passkey_id, name } }: { passkey: Passkey }) {
  const rename = useChange('PATCH /v1/auth/second-factors/passkeys/{passkey_id}');
  const form = useForm({ initialValues: { name } });
  return (
    <DialogForm
      form={form}
      onSubmit={(body) => rename.mutateAsync({ params: { passkey_id }, body })}
      action="Rename"
    >
      <TextInput label="Name" maxLength={100} data-autofocus {...form.getInputProps('name')} />
    </DialogForm>
  );
}
