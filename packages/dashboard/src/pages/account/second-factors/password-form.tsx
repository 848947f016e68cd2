import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';

/** Asks for the password again before the ways to log in are changed. */
export function PasswordForm(props: {
  children: ReactNode;
  /** The text of the submit button. */
  action: string;
  danger?: boolean;
  /** If given, the form also asks for a name, and suggests this one. */
  name?: string;
  /** True if another step follows in the dialog. */
  isStep?: boolean;
  /** If the promise is rejected, the form shows the error. */
  onConfirm: (values: { password: string; name: string }) => Promise<unknown>;
}) {
  const { children, name, onConfirm, ...dialog } = props;
  const form = useForm({ initialValues: { password: '', name: name ?? '' } });
  return (
    <DialogForm form={form} onSubmit={onConfirm} {...dialog}>
      <Text size="sm" component="div" className="name">
        {children}
      </Text>
      {name !== undefined && (
        <TextInput
          label="Name"
          description="To tell it from others, such as that of the device"
          maxLength={100}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        data-autofocus={name === undefined || undefined}
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}
