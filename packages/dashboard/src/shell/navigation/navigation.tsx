import { spotlight } from '@mantine/spotlight';
import { Link, NavLink } from 'react-router';
import { IconSearch } from '../../ui/icons.ts';
import { Mark } from '../../ui/contours/mark.tsx';
import { AccountMenu } from './account-menu.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { useGame } from '../game.ts';
import { GameSwitcher } from './game-switcher.tsx';
import { GAME_PLACES } from './places.ts';
import classes from '../shell.module.css';
import { isMac } from './shortcuts.tsx';

/** The links to all pages of a game: in the sidebar, and on phones in a drawer. */
export function Navigation() {
  const { path } = useGame();
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
        <button type="button" className={classes.link} onClick={spotlight.open}>
          <IconSearch size={18} />
          <span className={classes.linkText}>Search</span>
          <span className={classes.kbd}>{isMac ? '⌘K' : 'Ctrl K'}</span>
        </button>
        {GAME_PLACES.map(({ heading, places }) => (
          <div key={heading ?? ''} className={classes.nav}>
            {heading && <div className={classes.navHeading}>{heading}</div>}
            {places.map(({ path: page, name, icon: PlaceIcon }) => (
              <NavLink key={page} to={path(page)} className={classes.link}>
                <PlaceIcon size={18} aria-hidden />
                {name}
              </NavLink>
            ))}
          </div>
        ))}
      </nav>
      <div className={classes.foot}>
        <AccountMenu />
      </div>
    </>
  );
}
