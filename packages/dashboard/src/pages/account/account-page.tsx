import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useThemeChoice } from '../../theme/theme-choice.ts';
import { Dimmed } from '../../ui/text.tsx';
import { SwitchChoice } from '../../ui/choice.tsx';
import { useDensityChoice } from '../../ui/tables/density.ts';
import { Card, Cards, Loaded, Page } from '../../ui/page.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { VerifyAddress } from '../../ui/verify-address.tsx';
import { OwnTokens } from '../access-tokens/own-tokens.tsx';
import { SecondFactorsCard } from './second-factors/second-factors-card.tsx';
import { DevicesCard, SessionsCard } from './browsers.tsx';
import { useChange, useRead } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { Form } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';
import { logOut } from '../../shell/log-out.ts';
import { DayOf } from '../../ui/time/moment.tsx';

export function Component() {
  const account = useRead('GET /v1/auth/me', {});
  return (
    <Page title="Your account">
      <VerifyAddress />
      <Cards>
        <AccountCard />
        <Card title="Appearance">
          <Stack gap="xs">
            <SwitchChoice choice={useThemeChoice()} />
            <SwitchChoice choice={useDensityChoice()} />
          </Stack>
        </Card>
        <PasswordCard />
        <SecondFactorsCard />
        <SessionsCard />
        <DevicesCard />
      </Cards>
      {account.data?.must_set_up_second_factor === false && <OwnTokens />}
    </Page>
  );
}

function PasswordCard() {
  const account = useRead('GET /v1/auth/me', {});
  if (account.data?.has_password !== false) return <ChangePassword />;
  return (
    <Card title="Password">
      <Stack gap="sm" align="flex-start">
        <Dimmed>
          You log in with your identity provider, and have never chosen a password. With one, you
          can confirm changes here without logging in anew.
        </Dimmed>
        <ButtonLink to="/forgot-password" variant="default">
          Set a password
        </ButtonLink>
      </Stack>
    </Card>
  );
}

function ChangePassword() {
  // Requests with the old token would fail, so no data is loaded again before the new token is stored.
  const change = useChange('POST /v1/auth/change-password', { leaves: true });
  const queries = useQueryClient();
  const form = useForm({ initialValues: { current_password: '', new_password: '' } });
  const submit = async (body: typeof form.values) => {
    const { token } = await change.mutateAsync({ body });
    session.start(token);
    void queries.invalidateQueries();
    form.reset();
    notify.done('Password changed. Other sessions were ended.');
  };
  return (
    <Card title="Change password">
      <Form form={form} onSubmit={submit} gap="sm">
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters, none of the most common passwords. Other sessions are ended."
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={form.submitting}>
            Change password
          </Button>
        </Group>
      </Form>
    </Card>
  );
}

/** The address and the age of the account, and the button that logs out. */
function AccountCard() {
  const account = useRead('GET /v1/auth/me', {});
  return (
    <Card title="Account">
      <Loaded query={account}>
        {({ email, created_at, is_administrator }) => (
          <Group justify="space-between">
            <div>
              <Text fw={500} className="name">
                {email}
              </Text>
              <Dimmed>
                Since <DayOf at={created_at} />
                {is_administrator && ', administrator of this installation'}
              </Dimmed>
            </div>
            <Button variant="default" onClick={logOut}>
              Log out
            </Button>
          </Group>
        )}
      </Loaded>
    </Card>
  );
}
