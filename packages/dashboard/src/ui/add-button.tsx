import { Button } from '@mantine/core';
import type { ButtonProps, ElementProps } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';

interface AddButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {}

/** A button that adds an item to a list. */
export function AddButton(button: AddButtonProps) {
  const iconSize = button.size === 'xs' ? 14 : 16;
  return <Button leftSection={<IconPlus size={iconSize} aria-hidden />} {...button} />;
}
