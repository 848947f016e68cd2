import {
  Fieldset,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { RoleNote } from '../../shell/role-note.tsx';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { PRESETS, toSettings, toValues } from './provider-values.ts';
import type { LoginProvider, ProviderValues } from './provider-values.ts';

type ProviderFields = UseFormReturnType<ProviderValues>;

/** Registers a provider, or changes a stored one. */
export function ProviderForm({ stored }: { stored: LoginProvider | null }) {
  const { inEnvironment, can } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/login-providers/{provider}');
  const form = useForm<ProviderValues>({
    initialValues: toValues(stored),
    validate: {
      provider: (name) => (name === '' ? 'Name is required' : null),
      audiences: (ids, { provider: name }) =>
        name !== 'custom' && name !== 'steam' && ids.length === 0
          ? 'At least one client id is required'
          : null,
      secret: (secret, { provider: name, signed_by }) =>
        name === 'custom' && signed_by === 'secret' && secret === '' && !stored?.has_secret
          ? 'Secret is required'
          : null,
      public_key: (text, { provider: name, signed_by }) =>
        name === 'custom' && signed_by === 'public_key' && text.trim() === ''
          ? 'Public key is required'
          : null,
    },
  });
  const { preset, provider } = form.values;

  const choose = (value: string | null) => {
    const chosen = PRESETS.find((known) => known.value === value);
    if (!chosen) return;
    form.setValues({ preset: chosen.value, provider: chosen.value, issuer: chosen.issuer });
    form.clearErrors();
  };

  return (
    <DialogForm
      form={form}
      onSubmit={(values) =>
        put.mutateAsync({
          ...inEnvironment({ provider: values.provider }),
          body: toSettings(values),
        })
      }
      action={can('admin') ? 'Save provider' : null}
    >
      <RoleNote role="admin" />
      <Fieldset variant="unstyled" m={0} disabled={!can('admin')}>
        <Stack>
          {stored === null && (
            <Select
              label="Players log in with"
              data={PRESETS.map(({ value, label }) => ({ value, label }))}
              value={preset}
              onChange={choose}
            />
          )}
          {stored === null && preset === '' && (
            <TextInput
              label="Name"
              description="The game sends it as provider: small letters, digits, - and _"
              {...form.getInputProps('provider')}
            />
          )}
          {provider === 'custom' && <CustomFields form={form} has_secret={stored?.has_secret} />}
          {provider === 'steam' && <SteamFields form={form} has_secret={stored?.has_secret} />}
          {provider !== 'custom' && provider !== 'steam' && <IssuerFields form={form} />}
        </Stack>
      </Fieldset>
    </DialogForm>
  );
}

const KEPT = 'Leave it empty to keep the stored one';

function CustomFields({ form, has_secret }: { form: ProviderFields; has_secret?: boolean }) {
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label="Tokens are signed by"
        data={[
          { value: 'secret', label: 'A secret' },
          { value: 'public_key', label: 'A key pair' },
        ]}
        {...form.getInputProps('signed_by')}
      />
      {form.values.signed_by === 'secret' ? (
        <PasswordInput
          label="Secret"
          description={
            has_secret ? KEPT : 'Your server signs tokens with it (HS256); at least 32 characters'
          }
          autoComplete="off"
          {...form.getInputProps('secret')}
        />
      ) : (
        <Textarea
          label="Public key"
          description="PEM of an RSA, P-256, P-384, P-521 or Ed25519 key"
          placeholder="-----BEGIN PUBLIC KEY-----"
          autosize
          minRows={4}
          maxRows={12}
          {...form.getInputProps('public_key')}
        />
      )}
    </>
  );
}

function SteamFields({ form, has_secret }: { form: ProviderFields; has_secret?: boolean }) {
  return (
    <>
      <TextInput label="App id" inputMode="numeric" {...form.getInputProps('app_id')} />
      <PasswordInput
        label="Web API key"
        description={has_secret ? KEPT : 'From the pages of your Steam partner account'}
        autoComplete="off"
        {...form.getInputProps('web_api_key')}
      />
      <TextInput
        label="Identity"
        description="If the game asks Steam for tickets with one"
        {...form.getInputProps('identity')}
      />
    </>
  );
}

function IssuerFields({ form }: { form: ProviderFields }) {
  return (
    <>
      <TextInput
        label="Issuer"
        description="Exactly as in the tokens (iss)"
        placeholder="https://login.example"
        {...form.getInputProps('issuer')}
      />
      <TagsInput
        label="Client ids"
        description="Of your game at the issuer (aud); press Enter after each"
        acceptValueOnBlur
        {...form.getInputProps('audiences')}
      />
      <TextInput
        label="Address of its keys"
        description="Empty: the issuer’s own document names it"
        {...form.getInputProps('jwks_url')}
      />
    </>
  );
}
