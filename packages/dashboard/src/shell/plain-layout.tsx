import { Link, Outlet } from 'react-router';
import { IconChevronLeft } from '../ui/icons.ts';
import { Mark } from '../ui/contours/mark.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import classes from './plain-layout.module.css';

/** The frame of pages that belong to no game. */
export function Component() {
  return (
    <>
      <header className={classes.head}>
        <Link to="/" className={classes.brand}>
          <Mark size={24} />
          Overworld
        </Link>
        <Link to="/" className={classes.back}>
          <IconChevronLeft size={16} aria-hidden />
          Back to your games
        </Link>
      </header>
      <main id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Outlet />
      </main>
    </>
  );
}
