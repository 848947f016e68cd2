import { IconStar } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useGame } from '../game.ts';
import classes from '../shell.module.css';
import { useFavourites, useOpenGroups } from './kept-navigation.ts';
import { ALL_PLACES, GAME_PLACES, OVERVIEW } from './places.ts';
import type { Place } from './places.ts';

/** The links to all pages: the overview, the pages that the reader keeps on top, and the rest in groups. */
export function PageLinks() {
  const { path } = useGame();
  const { pathname } = useLocation();
  const { favourites, toggle } = useFavourites();
  const { isOpen, setOpen } = useOpenGroups();
  const links = useRef<HTMLDivElement>(null);
  // In a low window a link may be out of sight, so the link of the open page is scrolled into view.
  useEffect(() => {
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);

  const isHere = ({ path: page }: Place) => `${pathname}/`.startsWith(`${path(page)}/`);
  const isKept = ({ path: page }: Place) => favourites.includes(page);
  const linkTo = (place: Place) => (
    <PageLink
      key={place.path}
      place={place}
      to={path(place.path)}
      isKept={isKept(place)}
      onKeep={isHere(place) ? () => toggle(place.path) : undefined}
    />
  );
  const kept = favourites.flatMap((page) => ALL_PLACES.find((place) => place.path === page) ?? []);
  return (
    <div ref={links} className={classes.nav}>
      <PageLink place={OVERVIEW} to={path(OVERVIEW.path)} />
      {kept.map(linkTo)}
      {GAME_PLACES.map(({ heading, places }) => {
        const rest = places.filter((place) => !isKept(place));
        if (rest.length === 0) return null;
        const hasPage = rest.some(isHere);
        const isFirst = places === GAME_PLACES[0]!.places;
        const isShown = isOpen(heading, hasPage || (isFirst && isHere(OVERVIEW)));
        return (
          <details
            key={heading}
            className={classes.group}
            open={isShown}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open !== isShown) setOpen(heading, currentTarget.open);
            }}
          >
            <summary className={classes.navHeading} data-here={hasPage}>
              {heading}
            </summary>
            <div className={classes.nav}>{rest.map(linkTo)}</div>
          </details>
        );
      })}
    </div>
  );
}

function PageLink(props: {
  place: Place;
  to: string;
  isKept?: boolean;
  /** Keeps the page on top, or no longer; only the link of the open page offers it. */
  onKeep?: () => void;
}) {
  const { place, to, isKept = false, onKeep } = props;
  const { name, icon: PlaceIcon } = place;
  return (
    <div className={classes.row}>
      <NavLink to={to} className={classes.link}>
        <PlaceIcon size={18} aria-hidden />
        {name}
      </NavLink>
      {onKeep && (
        <button
          type="button"
          className={classes.star}
          aria-pressed={isKept}
          aria-label="Keep this page on top"
          title={isKept ? 'Back to its group' : 'Keep this page on top'}
          onClick={onKeep}
        >
          <IconStar size={16} fill={isKept ? 'currentColor' : 'none'} aria-hidden />
        </button>
      )}
    </div>
  );
}
