import { Anchor, Button } from '@mantine/core';
import type { AnchorProps, ButtonProps, ElementProps } from '@mantine/core';
import { Link } from 'react-router';

interface TextLinkProps extends AnchorProps, ElementProps<'a', keyof AnchorProps> {
  to: string;
}

/** A link to another page of the app. */
export const TextLink = (link: TextLinkProps) => <Anchor component={Link} size="sm" {...link} />;

interface ButtonLinkProps extends ButtonProps, ElementProps<'a', keyof ButtonProps> {
  to: string;
}

/** A link to another page of the app that looks like a button. */
export const ButtonLink = (link: ButtonLinkProps) => <Button component={Link} {...link} />;
