import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import classes from './browser-list.module.css';
import { useDialog } from '../../ui/use-dialog.ts';
import { RowName } from '../../ui/text.tsx';

interface Browser {
  id: string;
  browser: string;
  address: string | null;
  is_current: boolean;
}

/** Browsers of the account, each with a button that removes it after a question. */
export function BrowserList<Row extends Browser>(props: {
  label: string;
  rows: Row[];
  /** When the browser was used. */
  describe: (row: Row) => ReactNode;
  /** The button of each row, such as `Forget`. */
  action: string;
  /** True if the browser that shows the page has the button too. */
  offersCurrent: boolean;
  title: string;
  /** The button of the question, such as `Forget browser`. */
  confirmation: string;
  /** The end of the question, after the name and the address of the browser. */
  consequence: string;
  onConfirm: (id: string) => Promise<unknown>;
}) {
  const { label, rows, describe, action, offersCurrent, title, confirmation, consequence } = props;
  const asking = useDialog<Row>();
  return (
    <>
      <ul className={classes.rows} aria-label={label}>
        {rows.map((row) => (
          <li key={row.id} className={classes.row}>
            <div style={{ minWidth: 0 }}>
              <Group gap={8}>
                <RowName>{row.browser}</RowName>
                {row.is_current && (
                  <Badge size="sm" variant="light" color="moss">
                    This browser
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed" component="div" className="name">
                {row.address && `${row.address} · `}
                {describe(row)}
              </Text>
            </div>
            {(offersCurrent || !row.is_current) && (
              <RowButton
                danger
                style={{ flex: 'none' }}
                aria-label={`${action} ${row.browser}`}
                onClick={() => asking.open(row)}
              >
                {action}
              </RowButton>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        {...asking.frame}
        title={title}
        action={confirmation}
        onConfirm={() => props.onConfirm(asking.item!.id)}
      >
        <b>{asking.item?.browser}</b>
        {asking.item?.address && ` at ${asking.item.address}`} {consequence}
      </Confirm>
    </>
  );
}
