import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { wordsOf } from '../../api/failure.ts';
import { FailureText } from '../text.tsx';

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Names the loss. */
  children: ReactNode;
  /** The text of the button, such as `Delete player`. */
  action: string;
  /** The dialog closes when it resolves, and shows the failure when it rejects. */
  onConfirm: () => Promise<unknown>;
  /** A text that the reader must type first, because the loss is final. */
  typed?: string;
  /** True if the content is incomplete, so that the reader cannot agree yet. */
  waits?: boolean;
  /** Width of a dialog with more than words. */
  size?: 'lg';
  /** True if the action takes nothing away. */
  harmless?: boolean;
}

/** Asks before something is lost, or before players are affected. */
export function Confirm(props: ConfirmProps) {
  const { opened, onClose, title, size } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      {opened && <ConfirmForm {...props} />}
    </Modal>
  );
}

/** The content of the dialog, for a step in another dialog. `back` is the text of the button that leaves it. */
export function ConfirmForm(props: Omit<ConfirmProps, 'opened' | 'title'> & { back?: string }) {
  const { onClose, children, action, onConfirm, typed, waits = false } = props;
  const { harmless = false, back = 'Cancel' } = props;
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const ready = !waits && (typed === undefined || text === typed);

  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onConfirm();
      onClose();
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
        <Group justify="flex-end" gap="xs">
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
        </Group>
      </Stack>
    </form>
  );
}
