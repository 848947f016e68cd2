import { Alert, Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Code } from '../../ui/json/code.tsx';
import { useCloseDialog } from '../../ui/forms/dialogs.tsx';
import { DialogButtons } from '../../ui/forms/dialog-buttons.tsx';

/** The last step of a dialog that has made a secret. The secret is shown only here. */
export function ShownSecret(props: { value: string; children?: ReactNode }) {
  const close = useCloseDialog();
  return (
    <Stack>
      <Code text={props.value} label="Secret" />
      <Alert color="ochre" py="xs">
        Copy it now: it is not shown again. Your receiver checks with it that messages come from
        here.
      </Alert>
      {props.children}
      <DialogButtons>
        <Button onClick={close}>Done</Button>
      </DialogButtons>
    </Stack>
  );
}
