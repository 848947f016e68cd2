import { IconGripVertical } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { IconButton } from '../buttons.tsx';

type GripProps = Omit<ComponentProps<typeof IconButton>, 'icon' | 'label'>;

/** The control by which a reader moves an item. */
export const Grip = ({ name, ...grip }: GripProps & { name: string }) => (
  <IconButton
    icon={IconGripVertical}
    label={`Move ${name}: arrow keys or drag`}
    style={{ cursor: 'grab' }}
    {...grip}
  />
);
