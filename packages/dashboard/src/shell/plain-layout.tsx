import { Outlet } from 'react-router';
import { PlainFrame } from './plain-frame.tsx';

/** Puts pages that belong to no game into their frame. */
export const Component = () => (
  <PlainFrame>
    <Outlet />
  </PlainFrame>
);
