import { Button, Group } from '@mantine/core';

/** What can be done with a row's definition; without `onDelete`, one may only look at it. */
export function EditButtons(props: { name: string; onOpen: () => void; onDelete?: () => void }) {
  const { name, onOpen, onDelete } = props;
  const open = onDelete ? 'Edit' : 'Show';
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Button size="compact-sm" variant="subtle" aria-label={`${open} ${name}`} onClick={onOpen}>
        {open}
      </Button>
      {onDelete && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="clay"
          aria-label={`Delete ${name}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      )}
    </Group>
  );
}
