import { Button, Group, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../api/hooks.ts';
import { session } from '../../api/session.ts';
import { Form } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';

/** Changes the password. */
export function PasswordCard() {
  // Reads with the old token would fail, so nothing is read again before the new token is stored.
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
