import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useGame } from '../../../shell/game.ts';
import { ConfirmForm } from '../../../ui/forms/dialogs.tsx';
import { StepHeading } from '../../../ui/forms/step-heading.tsx';
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
  return (
    <ConfirmForm action={action} onConfirm={onConfirm} onClose={onBack} back="Back" harmless>
      <Stack gap="sm">
        <StepHeading>This changes what players get in {environment}</StepHeading>
        {children}
        <ChangeList before={before} after={after} />
      </Stack>
    </ConfirmForm>
  );
}
