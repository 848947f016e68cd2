import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { FormProblem } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';

/** Changes the password. */
export function PasswordCard() {
  return (
    <Card title="Change password">
      <PasswordForm />
    </Card>
  );
}

function PasswordForm() {
  // What is on the screen is not read again before the new token is there.
  const change = useChange('POST /v1/auth/change-password', { leaves: true });
  const queries = useQueryClient();
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
              void queries.invalidateQueries();
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
          description="At least 8 characters, none of the most common passwords. Other sessions are ended."
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
