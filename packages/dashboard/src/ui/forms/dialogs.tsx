import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { createContext, use, useState } from 'react';
import type { ReactNode } from 'react';
import { Form } from './form.tsx';
import type { FormProps } from './form.tsx';
import { wordsOf } from '../../api/failure.ts';
import { FailureText } from '../text.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

/** Keeps a dialog's `item`, which is null while the dialog is closed. `frame` has props for the dialog. */
export function useDialog<Item>() {
  const [item, open] = useState<Item | null>(null);
  const close = () => open(null);
  return { item, open, close, frame: { opened: item !== null, onClose: close } };
}

const CloseContext = createContext<() => void>(() => undefined);

/** Returns a function that closes the dialog around a form. */
export const useCloseDialog = () => use(CloseContext);

/** A dialog around a form. A click outside does not close the dialog, because typed text would be lost. */
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
  /** The text of the submit button; null if the reader may not change anything. */
  action: string | null;
  /** True if the action removes something. */
  danger?: boolean;
  /** Another button, at the start of the row of buttons. */
  button?: ReactNode;
  /** True if another step may follow: the dialog then stays open after the form is submitted. */
  isStep?: boolean;
}

/** The form in a dialog, with its buttons. The dialog closes when the form is submitted. */
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
      <DialogButtons justify="space-between">
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
      </DialogButtons>
    </Form>
  );
}

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** A text about the things that will be lost. */
  children: ReactNode;
  /** The text of the button, such as `Delete player`. */
  action: string;
  /** The dialog closes when the promise resolves, and shows the failure when the promise rejects. */
  onConfirm: () => Promise<unknown>;
  /** A text that the reader must type first, because the loss is final. */
  typed?: string;
  /** True while the content is incomplete, so the reader cannot confirm yet. */
  waits?: boolean;
  /** The width, for a dialog that shows more than text. */
  size?: 'lg';
  /** True if the action removes nothing. */
  harmless?: boolean;
}

/** A dialog that asks for confirmation before something is lost or players are affected. */
export function Confirm(props: ConfirmProps) {
  const { opened, onClose, title, size } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      {opened && <ConfirmForm {...props} />}
    </Modal>
  );
}

interface ConfirmFormProps extends Omit<ConfirmProps, 'opened' | 'title'> {
  /** The text of the cancel button. */
  back?: string;
  /** True if another step may follow: the dialog then stays open. */
  isStep?: boolean;
}

/** The content of `Confirm`. Other dialogs use it as a step. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { onClose, children, action, onConfirm, typed, waits = false } = props;
  const { harmless = false, back = 'Cancel', isStep = false } = props;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const ready = !waits && (typed === undefined || text === typed);

  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onConfirm();
      if (!isStep) onClose();
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void confirm();
      }}
    >
      <Stack>
        <Text size="sm" component="div" className="name">
          {children}
        </Text>
        {typed !== undefined && (
          <TextInput
            label={
              <>
                Type <span className="mono name">{typed}</span> to confirm
              </>
            }
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {problem && <FailureText>{problem}</FailureText>}
        <DialogButtons>
          <Button
            variant="default"
            onClick={onClose}
            data-autofocus={typed === undefined || undefined}
          >
            {back}
          </Button>
          <Button
            type="submit"
            color={harmless ? undefined : 'clay'}
            loading={busy}
            disabled={!ready}
          >
            {action}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}
