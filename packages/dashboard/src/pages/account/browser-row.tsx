import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './browser-row.module.css';

/** A browser of the account: what and where it is, when it was used, and what can be done about it. */
export function BrowserRow(props: {
  browser: string;
  isCurrent: boolean;
  children: ReactNode;
  action: ReactNode;
}) {
  const { browser, isCurrent, children, action } = props;
  return (
    <li className={classes.row}>
      <div style={{ minWidth: 0 }}>
        <Group gap={8}>
          <Text size="sm" fw={500} className="name">
            {browser}
          </Text>
          {isCurrent && (
            <Badge size="sm" variant="light" color="moss">
              This browser
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" component="div" className="name">
          {children}
        </Text>
      </div>
      {action}
    </li>
  );
}

/** The rows of a card. */
export function BrowserRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  );
}
