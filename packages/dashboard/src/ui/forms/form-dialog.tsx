import { Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { showFailure } from '../../api/field-error.ts';
import { DialogButtons, FormProblem } from './form.tsx';

/** A dialog around a form. A click beside it does not close it, because typed text would be lost. */
export function FormDialog(props: {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: string;
  children: ReactNode;
}) {
  const { opened, children, ...modal } = props;
  return (
    <Modal opened={opened} {...modal} closeOnClickOutside={false}>
      {opened && children}
    </Modal>
  );
}

/** The form of a dialog: its problem, its fields and its buttons. */
export function DialogForm<Values extends object>(props: {
  form: UseFormReturnType<Values>;
  /** A rejection shows at the field that it names. */
  onSubmit: (values: Values) => Promise<unknown>;
  onClose: () => void;
  /** The text of the submit button; null where the reader may only look. */
  action: string | null;
  /** A further button, at the start of the line of buttons. */
  button?: ReactNode;
  gap?: string;
  children: ReactNode;
}) {
  const { form, onSubmit, onClose, action, button, gap, children } = props;
  const submit = (values: Values) => onSubmit(values).catch((error) => showFailure(form, error));
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap={gap}>
        <FormProblem form={form} />
        {children}
        <DialogButtons onClose={onClose} action={action} busy={form.submitting}>
          {button}
        </DialogButtons>
      </Stack>
    </form>
  );
}
