import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** The link from a row of a table to the page of what it names. */
export const RowLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} to={to} size="sm" fw={500} className="truncate">
    {children}
  </Anchor>
);
