import { ActionIcon, Button, Group } from '@mantine/core';
import type { ActionIconProps, ButtonProps, ElementProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';

interface AddButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {}

/** A button that adds an item to a list. */
export function AddButton(button: AddButtonProps) {
  const iconSize = button.size === 'xs' ? 14 : 16;
  return <Button leftSection={<IconPlus size={iconSize} aria-hidden />} {...button} />;
}

interface RowButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** True if the action removes something. */
  danger?: boolean;
}

/** A small button in a row. Its `aria-label` also names the row, such as `Remove Steam build`. */
export function RowButton({ danger = false, ...button }: RowButtonProps) {
  const color = danger ? 'clay' : undefined;
  return <Button size="compact-sm" variant="subtle" color={color} {...button} />;
}

interface IconButtonProps
  extends
    Omit<ActionIconProps, 'children' | 'size'>,
    ElementProps<'button', keyof ActionIconProps> {
  /** The name for screen readers, because the icon has no text. */
  label: string;
  icon: Icon;
  iconSize?: number;
}

/** A button that shows only an icon. */
export function IconButton({ label, icon: Picture, iconSize = 16, ...button }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...button}>
      <Picture size={iconSize} />
    </ActionIcon>
  );
}

/** The buttons that open and delete a definition. Without `onDelete`, the reader may only look at it. */
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
