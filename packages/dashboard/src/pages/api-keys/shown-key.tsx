import { Alert, Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy.tsx';
import classes from './shown-key.module.css';
import { useCloseDialog } from '../../ui/forms/dialogs.tsx';
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx';

/** Shows a new key or token, which the server shows only once. */
export function ShownKey({ value, copy = 'Copy key' }: { value: string; copy?: string }) {
  return (
    <Stack gap="xs">
      <Group className={classes.key} wrap="nowrap" justify="space-between">
        <code data-testid="new-key">{value}</code>
        <CopyButton text={value} label={copy} />
      </Group>
      <Alert color="ochre" py="xs">
        Copy it now: it is not shown again.
      </Alert>
    </Stack>
  );
}

/** The last step of a dialog that has made a key or a token. */
export function NewKey(props: { value: string; copy?: string; children?: ReactNode }) {
  const close = useCloseDialog();
  return (
    <Stack>
      <ShownKey value={props.value} copy={props.copy} />
      {props.children}
      <DialogButtons>
        <Button onClick={close}>Done</Button>
      </DialogButtons>
    </Stack>
  );
}
