import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** The link from a row of a table to the page of the item that it names. */
export function RowLink(props: {
  to: string;
  /** True if the item is not the row itself, but only belongs to it. */
  isAside?: boolean;
  children: ReactNode;
}) {
  const { to, isAside = false, children } = props;
  return (
    <Anchor
      component={Link}
      to={to}
      size="sm"
      fw={isAside ? undefined : 500}
      className="truncate"
      dir="auto"
    >
      {children}
    </Anchor>
  );
}
