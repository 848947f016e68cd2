import { Button, Stack, Text } from '@mantine/core';
import type { ShownPlan } from '@overworld/contract/definitions/plan-words';
import { useState } from 'react';
import { Failure, wordsOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import { ENVIRONMENT_NAMES, gamePath, useGame } from '../shell/game.ts';
import { ButtonLink } from '../ui/links.tsx';
import { FailureText } from '../ui/text.tsx';
import type { CopyProps } from './copy-props.ts';
import { PlanChanges } from './plan-changes.tsx';
import { StepHeading } from '../ui/forms/step-heading.tsx';
import { DialogButtons } from '../ui/forms/dialog-buttons.tsx';

/** Says what a copy of a config has changed, and leads back to the version that was there before. */
export function CopiedConfig(props: CopyProps & { applied: ShownPlan }) {
  const { from, to, onClose, applied } = props;
  const { game_id } = useGame();
  const versions = applied.changes[0]!.version!;
  const [restored, setRestored] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { goBack, busy } = useWayBack(to, versions);
  const undo = () =>
    goBack().then(setRestored, (error: unknown) => {
      const isChanged = error instanceof Failure && error.status === 409;
      setProblem(
        isChanged
          ? `Somebody has changed ${to} since, so it stays as it is. Its history has version ${versions.before}.`
          : wordsOf(error),
      );
    });
  const name = ENVIRONMENT_NAMES[to];
  return (
    <Stack>
      {restored === null ? (
        <>
          <StepHeading key="copied">
            {name} has the config of {from} now
          </StepHeading>
          <PlanChanges plan={applied} />
        </>
      ) : (
        <>
          <StepHeading key="restored">{name} has its earlier config again</StepHeading>
          <Text size="sm">
            Version {restored} is that of {wordsFor(versions.before)}.
          </Text>
        </>
      )}
      {problem && <FailureText>{problem}</FailureText>}
      <DialogButtons>
        {restored === null && (
          <Button variant="default" loading={busy} onClick={() => void undo()}>
            Go back to {wordsFor(versions.before)}
          </Button>
        )}
        <ButtonLink variant="default" to={gamePath(game_id, to, 'config')} onClick={onClose}>
          Show {to}
        </ButtonLink>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Stack>
  );
}

const wordsFor = (version: number): string =>
  version === 0 ? 'no parameters' : `version ${version}`;

/** Stores the version before the copy again. @returns the number of the version that is current then. */
function useWayBack(
  environment: CopyProps['to'],
  { before, after }: { before: number; after: number },
) {
  const { game_id } = useGame();
  const restore = useChange('POST /v1/games/{game_id}/config/versions/{version}/rollback');
  // Version 0 is the empty config before the first version. It cannot be restored, but stored.
  const empty = useChange('PUT /v1/games/{game_id}/config');
  const goBack = async () => {
    const { version } =
      before === 0
        ? await empty.mutateAsync({
            params: { game_id },
            query: { environment },
            body: { version: after, parameters: {} },
          })
        : await restore.mutateAsync({
            params: { game_id, version: before },
            query: { environment, expected_version: after },
          });
    return version;
  };
  return { goBack, busy: restore.isPending || empty.isPending };
}
