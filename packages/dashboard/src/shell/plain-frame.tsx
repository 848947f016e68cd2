import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Mark } from '../ui/contours/mark.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { MainContent } from './main-content.tsx';
import classes from './plain-frame.module.css';

/** The frame of pages that belong to no game. */
export function PlainFrame({ children }: { children: ReactNode }) {
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
      <MainContent>
        <ConnectionBanner />
        {children}
      </MainContent>
    </>
  );
}
