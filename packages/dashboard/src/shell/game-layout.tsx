import { Burger } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { PaletteOnDemand } from './navigation/palette-on-demand.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { EnvironmentTag } from './environment-tag.tsx';
import { ENVIRONMENT_NAMES, lastPlace, useGame } from './game.ts';
import { MainContent } from './main-content.tsx';
import { Navigation } from './navigation/navigation.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './navigation/shortcuts.tsx';
import { PlaceContext } from '../ui/page.tsx';
import { ZoneChangeBanner } from './zone-change-banner.tsx';
import { ZoneContext } from '../ui/time/zone.ts';
import { showName } from '../ui/shown-name.ts';

const PhoneMenu = lazy(async () => ({
  default: (await import('./navigation/phone-menu.tsx')).PhoneMenu,
}));

/** The frame of every page of a game. */
export function Component() {
  const { game, game_id, environment } = useGame();
  // The code of the menu is loaded when the menu is first opened.
  const [wasMenuOpened, setWasMenuOpened] = useState(false);
  const [menuOpened, menu] = useDisclosure(false, { onOpen: () => setWasMenuOpened(true) });
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
            {showName(game.name)}
          </span>
          <EnvironmentTag environment={environment} />
        </header>
        {wasMenuOpened && (
          <Suspense>
            <PhoneMenu opened={menuOpened} onClose={menu.close} />
          </Suspense>
        )}
        <MainContent ref={main}>
          <ConnectionBanner />
          <ZoneChangeBanner key={game_id} />
          {/* A change of the game or environment mounts a new page without the old state. */}
          <PlaceContext value={`${game.name}, ${ENVIRONMENT_NAMES[environment]}`}>
            <Outlet key={`${game_id} ${environment}`} />
          </PlaceContext>
        </MainContent>
      </div>
      <Shortcuts />
      <PaletteOnDemand />
    </ZoneContext>
  );
}

/** After a change of page, gives the focus to the content if the focused element was on the old page. */
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
