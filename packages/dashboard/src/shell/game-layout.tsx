import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { PaletteOnDemand } from './navigation/palette-on-demand.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { EnvironmentTag } from './environment-tag.tsx';
import { ENVIRONMENT_NAMES, lastPlace, useGame } from './game.ts';
import { Navigation } from './navigation/navigation.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './navigation/shortcuts.tsx';
import { PlaceContext } from '../ui/page.tsx';
import { ZoneChangeBanner } from './zone-change-banner.tsx';
import { ZoneContext } from '../ui/time/zone.ts';

/** The frame of every page of a game. */
export function Component() {
  const { game, game_id, environment } = useGame();
  const [menuOpened, menu] = useDisclosure();
  const { pathname } = useLocation();
  const closeMenu = menu.close;

  useEffect(() => lastPlace.write(game_id, environment), [game_id, environment]);
  useEffect(closeMenu, [pathname, closeMenu]);
  const main = useFocusOnArrival(pathname);

  return (
    <ZoneContext value={game.time_zone}>
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <div className={classes.strip} data-environment={environment} />
      <div className={classes.shell}>
        <aside className={classes.sidebar}>
          <Navigation />
        </aside>
        <header className={classes.top}>
          <Burger size="sm" opened={menuOpened} onClick={menu.toggle} aria-label="Menu" />
          <span className="truncate" style={{ flex: 1, fontWeight: 600 }}>
            {game.name}
          </span>
          <EnvironmentTag environment={environment} />
        </header>
        <Drawer.Root opened={menuOpened} onClose={menu.close} size={280}>
          <Drawer.Overlay />
          <Drawer.Content aria-label="Menu">
            <Drawer.Body>
              <div className={classes.drawer}>
                <Navigation />
              </div>
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
        <main id="content" className={classes.main} tabIndex={-1} ref={main}>
          <ConnectionBanner />
          <ZoneChangeBanner key={game_id} />
          {/* The key drops a page's state, which must not show under another game or environment. */}
          <PlaceContext value={`${game.name}, ${ENVIRONMENT_NAMES[environment]}`}>
            <Outlet key={`${game_id} ${environment}`} />
          </PlaceContext>
        </main>
      </div>
      <Shortcuts />
      <PaletteOnDemand />
    </ZoneContext>
  );
}

/** Gives the content the focus when the element that had it leaves the screen with its page. */
function useFocusOnArrival(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const left = useRef(pathname);
  useEffect(() => {
    if (left.current === pathname) return;
    left.current = pathname;
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}
