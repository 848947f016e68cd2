import { Button } from '@mantine/core';
import type { ButtonProps, ElementProps } from '@mantine/core';

interface RowButtonProps extends ButtonProps, ElementProps<'button', keyof ButtonProps> {
  /** True if the action takes something away. */
  danger?: boolean;
}

/** A small button of a row. Its `aria-label` names the row too, such as `Remove Steam build`. */
export function RowButton({ danger = false, ...button }: RowButtonProps) {
  const color = danger ? 'clay' : undefined;
  return <Button size="compact-sm" variant="subtle" color={color} {...button} />;
}
