import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { showFailure } from '../../../api/field-error.ts';
import { Failure, wordsOf } from '../../../api/failure.ts';
import { FormProblem } from '../../../ui/forms/form.tsx';

interface Values extends Record<string, unknown> {
  password: string;
  name: string;
}

interface FormProps {
  children: ReactNode;
  /** Label of the button. */
  action: string;
  danger?: boolean;
  /** Also asks for a name, and offers this one. */
  name?: string;
  onClose: () => void;
  /** A failure is shown in the form. */
  onConfirm: (values: { password: string; name: string }) => Promise<unknown>;
}

/** Asks for the password again before how one logs in is changed. */
export function PasswordDialog(props: FormProps & { opened: boolean; title: string }) {
  const { opened, title, ...form } = props;
  return (
    <Modal opened={opened} onClose={form.onClose} title={title}>
      {opened && <PasswordForm {...form} />}
    </Modal>
  );
}

export function PasswordForm(props: FormProps) {
  const { children, action, danger = false, name, onClose, onConfirm } = props;
  const form = useForm<Values>({ initialValues: { password: '', name: name ?? '' } });
  const [busy, setBusy] = useState(false);

  const confirm = async (values: Values) => {
    setBusy(true);
    try {
      await onConfirm(values);
    } catch (error) {
      show(form, error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form noValidate onSubmit={form.onSubmit((values) => void confirm(values))}>
      <Stack>
        <FormProblem form={form} />
        <Text size="sm" component="div" className="name">
          {children}
        </Text>
        {name !== undefined && (
          <TextInput
            label="Name"
            description="To tell it from others, such as that of the device"
            maxLength={100}
            data-autofocus
            autoComplete="off"
            {...form.getInputProps('name')}
          />
        )}
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus={name === undefined}
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color={danger ? 'clay' : undefined} loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The browser's own words, too, when it could not use a passkey. */
function show(form: UseFormReturnType<Values>, error: unknown): void {
  if (error instanceof Failure) showFailure(form, error);
  else form.setErrors({ form: wordsOf(error) });
}
