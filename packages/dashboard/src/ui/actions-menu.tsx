import { Button, Menu } from '@mantine/core';
import type { MenuItemProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from './buttons.tsx';

/** The less frequent actions of a page. */
export const ActionsMenu = ({ children }: { children: ReactNode }) => (
  <Menu position="bottom-end" shadow="md">
    <Menu.Target>
      <Button variant="default" leftSection={<IconDots size={16} aria-hidden />}>
        Actions
      </Button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

/** The actions of a row or a card, which `name` tells apart. */
export const RowMenu = (props: { name: string; iconSize?: number; children: ReactNode }) => (
  <Menu position="bottom-end" shadow="md">
    <Menu.Target>
      <IconButton icon={IconDots} iconSize={props.iconSize} label={`Actions for ${props.name}`} />
    </Menu.Target>
    <Menu.Dropdown>{props.children}</Menu.Dropdown>
  </Menu>
);

/** An action of a menu that takes something away. */
export const DangerItem = (item: MenuItemProps & { onClick: () => void }) => (
  <Menu.Item color="var(--mantine-color-error)" {...item} />
);
