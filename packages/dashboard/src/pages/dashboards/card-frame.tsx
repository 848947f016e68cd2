import { Anchor, Group } from '@mantine/core';
import type { Card as CardData } from '@overworld/contract/dashboards/cards';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '../../ui/page.tsx';
import classes from './dashboard.module.css';
import { showName } from '../../ui/shown-name.ts';

/** The frame around a pinned chart. It shows the title of the chart and the days that the chart covers. */
export function CardFrame(props: {
  card: Pick<CardData, 'title'>;
  /** The days that the chart covers, in words. */
  words: string;
  /** The path of the report. Not set in a shared dashboard, whose readers cannot open reports. */
  to?: string;
  grip?: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
}) {
  const { card, words, to, grip, menu, children } = props;
  return (
    <Card
      title={
        <span className="name">
          {to === undefined ? (
            card.title
          ) : (
            <Anchor component={Link} to={to} inherit c="inherit">
              {showName(card.title)}
            </Anchor>
          )}
        </span>
      }
      actions={
        <Group gap={4} wrap="nowrap">
          <span className={classes.days}>{words}</span>
          {grip}
          {menu}
        </Group>
      }
    >
      {children}
    </Card>
  );
}
