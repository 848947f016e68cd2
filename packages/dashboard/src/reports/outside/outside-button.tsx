import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTerminal2 } from '@tabler/icons-react';
import { createContext, lazy, Suspense, useState } from 'react';
import type { ReactNode } from 'react';
import { addressOf } from '../../api/client.ts';
import type { Input, ReadRoute } from '../../api/operations.ts';

// The first page has such a button, so the dialog is loaded when it is opened.
const Dialog = lazy(async () => ({
  default: (await import('./outside-dialog.tsx')).OutsideDialog,
}));

/** The button of the report whose cards are inside. */
export const OutsideContext = createContext<ReactNode>(null);

/** A report that can be read outside the dashboard. */
export interface OutsideReport<R extends ReadRoute> {
  route: R;
  input: Input<R>;
  /** False if the report is only JSON. */
  isTable: boolean;
  /** The lowest role of an access token that may read the report with these parameters. */
  role: 'reports' | 'viewer';
}

/** Opens the address of a report, and the code that reads it outside the dashboard. */
export function OutsideButton<R extends ReadRoute>(report: OutsideReport<R>) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Tooltip label="Use outside">
        <Button
          size="xs"
          px={8}
          variant="default"
          aria-label="Use outside"
          aria-haspopup="dialog"
          onClick={dialog.open}
        >
          <IconTerminal2 size={14} aria-hidden />
        </Button>
      </Tooltip>
      <OutsideDialog {...report} opened={opened} onClose={dialog.close} />
    </>
  );
}

/** The dialog of such a button, for reports whose button is elsewhere. */
export function OutsideDialog<R extends ReadRoute>(
  props: OutsideReport<R> & { opened: boolean; onClose: () => void },
) {
  const { route, input, opened, ...dialog } = props;
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <Dialog {...dialog} opened={opened} address={addressOf(route, input)} />
    </Suspense>
  );
}
