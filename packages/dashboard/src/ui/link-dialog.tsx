import { Alert, Button, Code, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { NamedCopyButton } from './copy.tsx';
import { Moment } from './time/moment.tsx';
import { DialogButtons } from './forms/dialog-buttons.tsx';

/** A link for the owner of an e-mail address. */
export interface MadeLink {
  email: string;
  link: string;
  expires_at: string;
}

/** Shows a link that the reader must pass on, because it is not sent by mail. */
export function LinkDialog(props: {
  title: string;
  /** Null while the dialog is closed. */
  made: MadeLink | null;
  onClose: () => void;
  /** A text about the recipient and the purpose of the link. */
  children: ReactNode;
}) {
  const { title, made, onClose, children } = props;
  return (
    <Modal opened={made !== null} onClose={onClose} title={title} closeOnClickOutside={false}>
      {made && (
        <Stack>
          <Text size="sm" className="name">
            {children} It works once, until <Moment at={made.expires_at} to="minute" />.
          </Text>
          <Code block className="name" style={{ whiteSpace: 'pre-wrap' }} data-testid="link">
            {made.link}
          </Code>
          <Alert color="ochre" py="xs">
            Copy it now: it is not shown again. Everybody who has it can use it.
          </Alert>
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
            <NamedCopyButton text={made.link} label="Copy link" />
          </DialogButtons>
        </Stack>
      )}
    </Modal>
  );
}
