import { Button, Menu } from '@mantine/core';
import type { MenuItemProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from './buttons.tsx';

/** The menu with the less frequent actions of a page. */
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

/** The menu of a row or a card. `name` distinguishes it from the other menus. */
export const RowMenu = (props: { name: string; iconSize?: number; children: ReactNode }) => (
  <Menu position="bottom-end" shadow="md">
    <Menu.Target>
      <IconButton icon={IconDots} iconSize={props.iconSize} label={`Actions for ${props.name}`} />
    </Menu.Target>
    <Menu.Dropdown>{props.children}</Menu.Dropdown>
  </Menu>
);

/** A menu item for an action that removes something. */
export const DangerItem = (item: MenuItemProps & { onClick: () => void }) => (
  <Menu.Item color="var(--mantine-color-error)" {...item} />
);
