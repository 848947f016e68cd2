import { Button, Radio, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { PlayedOnChoice } from '@overworld/contract/saves/restoration-limits';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm } from '../../../ui/forms/dialogs.tsx';
import { countOf } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import type { Restoration } from './restoration.ts';

const CHOICES: readonly { value: PlayedOnChoice; label: string; description: string }[] = [
  {
    value: 'skip',
    label: 'Leave their saves alone',
    description: 'They keep what they have played since, and what they have lost.',
  },
  {
    value: 'restore',
    label: 'Restore their saves too',
    description: 'They lose what they have played since.',
  },
  {
    value: 'conflict',
    label: 'Leave it to the game as a conflict',
    description:
      'Their saves are restored with the time at which they were first saved. A game that resolves conflicts by the newest save, or by a function of its own, can take what was played since.',
  },
];

/** Asks what happens to players who have played on, and starts the restoration. */
export function StartRestoration({ restoration }: { restoration: Restoration }) {
  const { can, environment, inEnvironment } = useGame();
  const { restoration_id, save_count, hopeless_count } = restoration;
  const start = useChange('POST /v1/games/{game_id}/save-restorations/{restoration_id}/start');
  const [played_on, setPlayedOn] = useState<PlayedOnChoice>('skip');
  const [asking, dialog] = useDisclosure();
  if (!can('developer')) return null;
  const saves = countOf(save_count - hopeless_count, 'save');
  return (
    <Card title="Restore them">
      <Stack gap="md" align="flex-start">
        <Radio.Group
          label="Players who have played on since"
          value={played_on}
          onChange={(value) => setPlayedOn(value as PlayedOnChoice)}
        >
          <Stack gap="xs" mt="xs">
            {CHOICES.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        <Button onClick={dialog.open} disabled={save_count === hopeless_count}>
          Restore {saves}…
        </Button>
      </Stack>
      <Confirm
        opened={asking}
        onClose={dialog.close}
        title={`Restore ${saves} in ${environment}?`}
        action={`Restore ${saves}`}
        harmless
        onConfirm={() =>
          start.mutateAsync({
            ...inEnvironment({ restoration_id }),
            body: { played_on, save_count },
          })
        }
      >
        The last good version of each save becomes its newest version. Nothing is deleted, and the
        restoration can be paused and undone. A running game gets a version conflict the next time
        it saves.
      </Confirm>
    </Card>
  );
}
