import { Button, Stack } from '@mantine/core';
import type { ShownPlan } from '@overworld/contract/definitions/plan-words';
import { ENVIRONMENT_NAMES, gamePath, useGame } from '../shell/game.ts';
import { StepHeading } from '../ui/forms/step-heading.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { CopiedConfig } from './copied-config.tsx';
import type { CopyProps } from './copy-props.ts';
import { COPY_WORDS } from './copy-words.ts';
import { PlanChanges } from './plan-changes.tsx';
import { DialogButtons } from '../ui/forms/dialog-buttons.tsx';

/** Says what a copy has changed. */
export function Copied(props: CopyProps & { applied: ShownPlan }) {
  const { kind, from, to, onClose, applied } = props;
  const { game_id } = useGame();
  if (kind === 'remote_config') return <CopiedConfig {...props} />;
  const { noun, page } = COPY_WORDS[kind];
  return (
    <Stack>
      <StepHeading>
        {ENVIRONMENT_NAMES[to]} has the {noun} of {from} now
      </StepHeading>
      <PlanChanges plan={applied} />
      <DialogButtons>
        <ButtonLink variant="default" to={gamePath(game_id, to, page)} onClick={onClose}>
          Show {to}
        </ButtonLink>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Stack>
  );
}
