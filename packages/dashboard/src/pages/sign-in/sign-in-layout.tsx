import { useMemo } from 'react';
import { Link, Outlet } from 'react-router';
import { ConnectionBanner } from '../../shell/connection-banner.tsx';
import { ContourBackground } from '../../ui/contours/contour-glyph.tsx';
import { Mark } from '../../ui/contours/mark.tsx';
import classes from './sign-in-layout.module.css';

/** The frame of the pages that need no login: a sheet beside a map. */
export function Component() {
  const map = useMemo(() => <ContourBackground seed="overworld-12" />, []);
  return (
    <div className={classes.ground}>
      <main className={classes.panel}>
        <Link to="/login" className={classes.brand}>
          <Mark size={28} />
          Overworld
        </Link>
        <ConnectionBanner />
        <Outlet />
      </main>
      <div className={classes.map}>{map}</div>
    </div>
  );
}
