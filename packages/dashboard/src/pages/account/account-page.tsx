import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { showFailure } from '../../api/field-error.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { ThemeSwitch } from '../../shell/account-menu.tsx';
import { DensitySwitch } from '../../ui/density.tsx';
import { formatDay } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { FormProblem } from '../../ui/form.tsx';
import { SecondFactorsCard } from './second-factors/second-factors-card.tsx';

export function Component() {
  const account = useRead('GET /v1/auth/me', {});
  return (
    <Page title="Your account">
      <Stack gap="md" maw={560}>
        <Card title="Account">
          <Loaded query={account}>
            {({ email, created_at, is_administrator }) => (
              <Group justify="space-between">
                <div>
                  <Text fw={500} className="name">
                    {email}
                  </Text>
                  <Text size="sm" c="dimmed">
                    Since {formatDay(created_at)}
                    {is_administrator && ', administrator of this installation'}
                  </Text>
                </div>
                <Button variant="default" onClick={() => session.end()}>
                  Log out
                </Button>
              </Group>
            )}
          </Loaded>
        </Card>
        <Card title="Appearance">
          <Stack gap="xs">
            <ThemeSwitch />
            <DensitySwitch />
          </Stack>
        </Card>
        <Card title="Change password">
          <PasswordForm />
        </Card>
        <SecondFactorsCard />
      </Stack>
    </Page>
  );
}

function PasswordForm() {
  // What is on the screen is not read again before the new token is there.
  const change = useChange('POST /v1/auth/change-password', { leaves: true });
  const form = useForm({ initialValues: { current_password: '', new_password: '' } });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body) =>
        change.mutate(
          { body },
          {
            onSuccess({ token }) {
              session.start(token);
              form.reset();
              notify.done('Password changed. Other sessions were ended.');
            },
            onError: (error) => showFailure(form, error),
          },
        ),
      )}
    >
      <Stack gap="sm">
        <FormProblem form={form} />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters, no other rules. Other sessions are ended."
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
