import { Mark } from '../ui/contours/mark.tsx';

/** What is shown for the moment before the first page. */
export function Loading() {
  return (
    <div style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }} aria-busy>
      <Mark size={40} />
    </div>
  );
}
