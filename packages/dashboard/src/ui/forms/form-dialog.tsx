import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogButtons, Form } from './form.tsx';
import type { FormProps } from './form.tsx';

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

interface DialogFormProps<Values, Answer> extends Omit<FormProps<Values, Answer>, 'onDone'> {
  onClose: () => void;
  /** Called with the answer in place of `onClose`; null: the dialog stays open. */
  onDone?: ((answer: Answer) => void) | null;
  /** The text of the submit button; null where the reader may only look. */
  action: string | null;
  /** The action takes something away. */
  danger?: boolean;
  /** A further button, at the start of the line of buttons. */
  button?: ReactNode;
}

/** The form of a dialog: its problem, its fields and its buttons. */
export function DialogForm<Values extends object, Answer>(props: DialogFormProps<Values, Answer>) {
  const { onClose, onDone = onClose, action, danger, button, children, ...frame } = props;
  return (
    <Form {...frame} onDone={onDone ?? undefined}>
      {children}
      <DialogButtons onClose={onClose} action={action} danger={danger} busy={frame.form.submitting}>
        {button}
      </DialogButtons>
    </Form>
  );
}
