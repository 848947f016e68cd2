import { Group } from '@mantine/core';
import type { GroupProps } from '@mantine/core';
import classes from './dialog-buttons.module.css';

/** The buttons at the end of a dialog. They stay in view while the dialog scrolls. */
export const DialogButtons = (group: GroupProps) => (
  <Group justify="flex-end" gap="xs" className={classes.buttons} {...group} />
);
