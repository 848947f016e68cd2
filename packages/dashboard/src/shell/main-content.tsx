import type { ReactNode, Ref } from 'react';
import { useNavigation } from 'react-router';
import classes from './main-content.module.css';

/** The content of a page. It fades when the code of the next page takes long to load. */
export function MainContent({ children, ref }: { children: ReactNode; ref?: Ref<HTMLElement> }) {
  const { state } = useNavigation();
  return (
    <main
      id="content"
      className={classes.main}
      tabIndex={-1}
      ref={ref}
      aria-busy={state !== 'idle'}
    >
      {children}
    </main>
  );
}
