import { Button, Group, Modal } from '@mantine/core';
import { createContext, use } from 'react';
import type { ReactNode } from 'react';
import { Form } from './form.tsx';
import type { FormProps } from './form.tsx';

const CloseContext = createContext<() => void>(() => undefined);

/** Closes the dialog around a form. */
export const useCloseDialog = () => use(CloseContext);

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
      {opened && <CloseContext value={modal.onClose}>{children}</CloseContext>}
    </Modal>
  );
}

interface DialogFormProps<Values, Answer> extends FormProps<Values, Answer> {
  /** The text of the submit button; null if the reader may only look. */
  action: string | null;
  /** True if the action takes something away. */
  danger?: boolean;
  /** A further button, at the start of the line of buttons. */
  button?: ReactNode;
  /** Another step may follow, so the dialog stays open when the form is done. */
  isStep?: boolean;
}

/** The form of a dialog: its problem, its fields and its buttons. The dialog closes when it is done. */
export function DialogForm<Values extends object, Answer>(props: DialogFormProps<Values, Answer>) {
  const { onDone, isStep = false, action, danger, button, children, ...frame } = props;
  const close = useCloseDialog();
  const finish = (answer: Answer) => {
    if (!isStep) close();
    onDone?.(answer);
  };
  return (
    <Form {...frame} onDone={finish}>
      {children}
      <Group justify="space-between" gap="xs" mt="xs">
        <div>{button}</div>
        <Group gap="xs">
          <Button variant="default" onClick={close}>
            {action === null ? 'Close' : 'Cancel'}
          </Button>
          {action !== null && (
            <Button
              type="submit"
              color={danger ? 'clay' : undefined}
              loading={frame.form.submitting}
            >
              {action}
            </Button>
          )}
        </Group>
      </Group>
    </Form>
  );
}
