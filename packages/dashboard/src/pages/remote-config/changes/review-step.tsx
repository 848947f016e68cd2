import { Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useGame } from '../../../shell/game.ts';
import { ConfirmForm } from '../../../ui/forms/dialogs.tsx';
import type { Parameters } from './parameter-changes.ts';
import { ChangeList } from './change-list.tsx';

/** The step of a dialog that shows a change before it is made. */
export function ReviewStep(props: {
  before: Parameters;
  after: Parameters;
  /** Content above the list of differences. */
  children?: ReactNode;
  action: string;
  onConfirm: () => Promise<unknown>;
  onBack: () => void;
}) {
  const { before, after, children, action, onConfirm, onBack } = props;
  const { environment } = useGame();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that opened this step had the focus and is gone, so the heading takes the focus.
  useEffect(() => heading.current?.focus(), []);
  return (
    <ConfirmForm action={action} onConfirm={onConfirm} onClose={onBack} back="Back" harmless>
      <Stack gap="sm">
        <Text component="h3" ref={heading} tabIndex={-1} fw={600} m={0} style={{ outline: 'none' }}>
          This changes what players get in {environment}
        </Text>
        {children}
        <ChangeList before={before} after={after} />
      </Stack>
    </ConfirmForm>
  );
}
