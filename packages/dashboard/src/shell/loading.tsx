import { Mark } from '../ui/contours/mark.tsx';

/** Fills the screen until the first page has loaded. */
export function Loading() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }} aria-busy>
      <Mark size={40} />
    </div>
  );
}
