import { ActionIcon } from '@mantine/core';
import type { ActionIconProps, ElementProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconButtonProps
  extends
    Omit<ActionIconProps, 'children' | 'size'>,
    ElementProps<'button', keyof ActionIconProps> {
  /** The name that is read out, because the icon has no text. */
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
