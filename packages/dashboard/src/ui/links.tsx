import { Anchor, Button } from '@mantine/core';
import type { AnchorProps, ButtonProps, ElementProps } from '@mantine/core';
import { Link } from 'react-router';
import type { ReactNode } from 'react';
import { showName } from './shown-name.ts';

interface TextLinkProps extends AnchorProps, ElementProps<'a', keyof AnchorProps> {
  to: string;
}

/** A link to another page of the app. */
export const TextLink = ({ children, ...link }: TextLinkProps) => (
  <Anchor component={Link} size="sm" {...link}>
    {typeof children === 'string' ? showName(children) : children}
  </Anchor>
);

interface ButtonLinkProps extends ButtonProps, ElementProps<'a', keyof ButtonProps> {
  to: string;
}

/** A link to another page of the app that looks like a button. */
export const ButtonLink = (link: ButtonLinkProps) => <Button component={Link} {...link} />;

/** A link in a row of a table. It names an item and leads to the page of the item. */
export function RowLink(props: {
  to: string;
  /** True if the link leads to a related item, and not to the item that the row is about. */
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
      {typeof children === 'string' ? showName(children) : children}
    </Anchor>
  );
}
