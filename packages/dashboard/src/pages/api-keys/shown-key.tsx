import { Alert, Group, Stack } from '@mantine/core';
import { CopyButton } from '../../ui/copy.tsx';
import classes from './shown-key.module.css';

/** A new key, the one time that it is shown. */
export function ShownKey({ value }: { value: string }) {
  return (
    <Stack gap="xs">
      <Group className={classes.key} wrap="nowrap" justify="space-between">
        <code data-testid="new-key">{value}</code>
        <CopyButton text={value} label="Copy key" />
      </Group>
      <Alert color="ochre" variant="light" py="xs">
        Copy it now: it is not shown again. Only its hash is stored.
      </Alert>
    </Stack>
  );
}
