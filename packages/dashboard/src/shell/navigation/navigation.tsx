import {
  IconBook2,
  IconCheck,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconSearch,
  IconSelector,
  IconServer,
  IconUser,
} from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { Badge, Group, Kbd, Menu } from '@mantine/core';
import { Mark } from '../../ui/contours/mark.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { gamePath, useGame } from '../game.ts';
import type { Game } from '../game.ts';
import { palette } from './palette.ts';
import { PageLinks } from './page-links.tsx';
import { isMac } from './is-mac.ts';
import { SHOW_SHORTCUTS } from './shortcuts.tsx';
import { useRequired, useRead } from '../../api/hooks.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import classes from '../shell.module.css';
import { useThemeChoice } from '../../theme/theme-choice.ts';
import { MenuChoice } from '../../ui/choice.tsx';
import { useDensityChoice } from '../../ui/tables/density.ts';
import { logOut } from '../log-out.ts';
import { showName } from '../../ui/shown-name.ts';

/** The links to all pages of a game: in the sidebar, and on phones in a drawer. */
export function Navigation() {
  return (
    <>
      <Link to="/" className={classes.brand}>
        <Mark size={24} />
        Overworld
      </Link>
      <div>
        <GameSwitcher />
        <div style={{ height: 8 }} />
        <EnvironmentSwitch />
      </div>
      <nav className={classes.nav} aria-label="Pages">
        <button type="button" className={classes.link} onClick={palette.open}>
          <IconSearch size={18} />
          <span className={classes.linkText}>Search</span>
          <span className={classes.kbd}>{isMac ? '⌘K' : 'Ctrl K'}</span>
        </button>
        <PageLinks />
      </nav>
      <div className={classes.foot}>
        <AccountMenu />
      </div>
    </>
  );
}

/** Names the game, and leads to the other games. */
function GameSwitcher() {
  const { game, environment } = useGame();
  const { games } = useRequired('GET /v1/games', {});
  const navigate = useNavigate();
  return (
    <Menu width={260} position="bottom-start" shadow="md">
      <Menu.Target>
        <button
          type="button"
          className={classes.link}
          aria-label={`Game: ${game.name}${game.forked_from === null ? '' : ', a fork'}. Switch game`}
        >
          <ContourGlyph seed={game.id} size={26} />
          <span className={`${classes.linkText} truncate`} style={{ fontWeight: 600 }}>
            {showName(game.name)}
          </span>
          <ForkBadge game={game} />
          <IconSelector size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {games.map((listed) => (
          <Menu.Item
            key={listed.id}
            leftSection={<ContourGlyph seed={listed.id} size={22} />}
            rightSection={
              <Group gap={6} wrap="nowrap">
                <ForkBadge game={listed} />
                {listed.id === game.id && <IconCheck size={16} aria-label="current" />}
              </Group>
            }
            onClick={() => navigate(gamePath(listed.id, environment))}
          >
            <span className="truncate" style={{ maxWidth: 160 }}>
              {showName(listed.name)}
            </span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconPlus size={18} />} onClick={() => navigate('/games/new')}>
          New game
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Marks a game that was made from another one to try things in. */
const ForkBadge = ({ game }: { game: Game }) =>
  game.forked_from !== null && (
    <Badge color="gray" size="xs" style={{ flex: 'none' }}>
      Fork
    </Badge>
  );

/** The menu of the reader: account, administration, help, appearance and logging out. */
function AccountMenu() {
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
