import { Kbd, Menu } from '@mantine/core';
import {
  IconBook2,
  IconKeyboard,
  IconLogout,
  IconSelector,
  IconServer,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { useThemeChoice } from '../../theme/theme-choice.ts';
import { MenuChoice } from '../../ui/menu-choice.tsx';
import { useDensityChoice } from '../../ui/tables/density.ts';
import { logOut } from '../log-out.ts';
import classes from '../shell.module.css';
import { SHOW_SHORTCUTS } from './shortcuts.tsx';

/** The menu of the reader: account, administration, help, appearance and logging out. */
export function AccountMenu() {
  const { data: account } = useRead('GET /v1/auth/me', {});
  const navigate = useNavigate();
  return (
    <Menu width={236} position="top-start" shadow="md">
      <Menu.Target>
        <button type="button" className={classes.link} title="Account">
          <IconUser size={18} />
          <span className={`${classes.linkText} truncate`}>{account?.email ?? '\u00a0'}</span>
          <IconSelector size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => navigate('/account')}>
          Your account
        </Menu.Item>
        {account?.is_administrator && (
          <Menu.Item leftSection={<IconServer size={16} />} onClick={() => navigate('/admin')}>
            Administration
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook2 size={16} />}>
          API reference
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} />}
          rightSection={<Kbd size="xs">?</Kbd>}
          onClick={() => dispatchEvent(new Event(SHOW_SHORTCUTS))}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <MenuChoice choice={useThemeChoice()} />
        <MenuChoice choice={useDensityChoice()} />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={logOut}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
