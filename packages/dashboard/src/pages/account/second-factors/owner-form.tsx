import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import { ConfirmFirst, OwnerCheck, useOwnerCheck } from '../owner-check.tsx';

interface OwnerFormProps {
  children: ReactNode;
  /** The text of the submit button. */
  action: string;
  danger?: boolean;
  /** If given, the form also asks for a name, and suggests this one. */
  name?: string;
  /** True if another step follows in the dialog. */
  isStep?: boolean;
  /** If the promise is rejected, the form shows the error. */
  onConfirm: (
    proof: { password: string } | { confirmation: string },
    name: string,
  ) => Promise<unknown>;
}

/** Asks the owner of the account to confirm that the ways to log in are changed. */
export function OwnerForm(props: OwnerFormProps) {
  const owner = useOwnerCheck();
  const [isConfirmed] = useState(owner.by !== 'nothing');
  return isConfirmed ? <ConfirmedForm {...props} /> : <ConfirmFirst />;
}

function ConfirmedForm(props: OwnerFormProps) {
  const { children, name, onConfirm, ...dialog } = props;
  const owner = useOwnerCheck();
  const form = useForm({ initialValues: { password: '', name: name ?? '' } });
  return (
    <DialogForm
      form={form}
      onSubmit={(values) => onConfirm(owner.proof(values.password), values.name)}
      {...dialog}
    >
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
      <OwnerCheck
        data-autofocus={name === undefined || undefined}
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}
