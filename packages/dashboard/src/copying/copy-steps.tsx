import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callWatched } from '../api/client.ts';
import { Failure, wordsOf } from '../api/failure.ts';
import { useChange } from '../api/hooks.ts';
import type { Answer } from '../api/operations.ts';
import { ENVIRONMENT_NAMES, useGame } from '../shell/game.ts';
import { ProgressOfReport } from '../reports/questions/slow-report.tsx';
import { ConfirmForm } from '../ui/forms/dialogs.tsx';
import { Lines, ReadProblem } from '../ui/page.tsx';
import { Copied } from './copied.tsx';
import type { CopyProps } from './copy-props.ts';
import { COPY_WORDS } from './copy-words.ts';
import { PlanChanges } from './plan-changes.tsx';
import { StepHeading } from '../ui/forms/step-heading.tsx';
import { DialogButtons } from '../ui/forms/dialog-buttons.tsx';

const PLAN = 'POST /v1/games/{game_id}/definitions/copy/plan';
const APPLY = 'POST /v1/games/{game_id}/definitions/copy/apply';

/** The steps of a copy: its plan, and then what happened. */
export function CopySteps(props: CopyProps) {
  const [applied, setApplied] = useState<Answer<typeof APPLY> | null>(null);
  if (applied !== null) return <Copied {...props} applied={applied} />;
  return <Planned {...props} onApplied={setApplied} />;
}

/** Shows the plan. What the reader confirms is exactly the plan on the screen, or nothing. */
function Planned(props: CopyProps & { onApplied: (answer: Answer<typeof APPLY>) => void }) {
  const { kind, from, to, onClose, onApplied } = props;
  const { game_id } = useGame();
  const [refusal, setRefusal] = useState<string | null>(null);
  const apply = useChange(APPLY);
  const copied = { from, to, kinds: [kind] };
  const input = { params: { game_id }, body: copied };
  const plan = useQuery({
    queryKey: [PLAN, input],
    queryFn: ({ signal }) => callWatched(PLAN, input, signal),
    // The plan on the screen changes only when the reader asks for a new one.
    meta: { slow: true },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (plan.isFetching) {
    return (
      <Stack gap="sm">
        <Lines count={4} />
        <ProgressOfReport />
      </Stack>
    );
  }
  if (plan.data === undefined) return <ReadProblem query={plan} />;
  const { changes, plan: id } = plan.data;
  const words = COPY_WORDS[kind];

  if (refusal !== null) {
    const showNew = () => {
      setRefusal(null);
      void plan.refetch();
    };
    return (
      <Stack>
        <Alert color="ochre" title="Nothing was copied" role="alert">
          {refusal}
        </Alert>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button onClick={showNew} autoFocus>
            Show the new plan
          </Button>
        </DialogButtons>
      </Stack>
    );
  }
  if (changes.length === 0) {
    return (
      <Stack>
        <StepHeading>Nothing differs</StepHeading>
        <Text size="sm">
          {ENVIRONMENT_NAMES[to]} has the {words.noun} of {from} already.
        </Text>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </Stack>
    );
  }
  const confirm = async () => {
    try {
      const body = { ...copied, plan: id };
      onApplied(await apply.mutateAsync({ params: { game_id }, body }));
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 409) throw error;
      setRefusal(refusalWords(error));
    }
  };
  return (
    <ConfirmForm action={`Copy to ${to}`} onConfirm={confirm} onClose={onClose} isStep harmless>
      <Stack gap="sm">
        <StepHeading>{words.heading({ from, to })}</StepHeading>
        <Text size="sm">{words.effect({ from, to })}</Text>
        <PlanChanges plan={plan.data} />
      </Stack>
    </ConfirmForm>
  );
}

/** A refusal because of a change meanwhile names the new state of the game. */
const refusalWords = (error: Failure): string =>
  error.body.digest === undefined
    ? wordsOf(error)
    : 'Somebody has changed the game since this plan was made. Look at the new plan first.';
