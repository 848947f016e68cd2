import { Group } from '@mantine/core';
import { RowButton } from '../buttons.tsx';

/** The buttons of a row's definition. Without `onDelete`, the reader may only look at it. */
export function EditButtons(props: { name: string; onOpen: () => void; onDelete?: () => void }) {
  const { name, onOpen, onDelete } = props;
  const open = onDelete ? 'Edit' : 'Show';
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <RowButton aria-label={`${open} ${name}`} onClick={onOpen}>
        {open}
      </RowButton>
      {onDelete && (
        <RowButton danger aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </RowButton>
      )}
    </Group>
  );
}
