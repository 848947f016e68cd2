import { Button, Radio, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { OutOfBoundsChoice } from '@overworld/contract/stats/restoration-limits';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm } from '../../../ui/forms/dialogs.tsx';
import { countOf } from '../../../ui/format.ts';
import { Card } from '../../../ui/page.tsx';
import type { StatRestoration } from './restoration.ts';

const CHOICES: readonly { value: OutOfBoundsChoice; label: string; description: string }[] = [
  {
    value: 'skip',
    label: 'Leave their values alone',
    description: 'They keep all that the changes have given them.',
  },
  {
    value: 'to_bound',
    label: 'Set their values to the bound',
    description: 'They lose what they still have, and what they have used stays used.',
  },
];

/** Asks what happens to values that would leave their bounds, and starts the restoration. */
export function StartStatRestoration({ restoration }: { restoration: StatRestoration }) {
  const { can, environment, inEnvironment } = useGame();
  const { restoration_id, value_count } = restoration;
  const start = useChange('POST /v1/games/{game_id}/stat-restorations/{restoration_id}/start');
  const [out_of_bounds, setOutOfBounds] = useState<OutOfBoundsChoice>('skip');
  const [asking, dialog] = useDisclosure();
  if (!can('developer')) return null;
  const values = countOf(value_count, 'value');
  return (
    <Card title="Restore them">
      <Stack gap="md" align="flex-start">
        <Radio.Group
          label="Players who have used what the changes gave them, and would leave the bounds"
          value={out_of_bounds}
          onChange={(value) => setOutOfBounds(value as OutOfBoundsChoice)}
        >
          <Stack gap="xs" mt="xs">
            {CHOICES.map((choice) => (
              <Radio key={choice.value} {...choice} />
            ))}
          </Stack>
        </Radio.Group>
        <Button onClick={dialog.open}>Restore {values}…</Button>
      </Stack>
      <Confirm
        opened={asking}
        onClose={dialog.close}
        title={`Restore ${values} in ${environment}?`}
        action={`Restore ${values}`}
        harmless
        onConfirm={() =>
          start.mutateAsync({
            ...inEnvironment({ restoration_id }),
            body: { out_of_bounds, value_count },
          })
        }
      >
        The changes of these hours count no more, and changes since then stay. Achievements stay
        unlocked. The restoration can be paused and undone.
      </Confirm>
    </Card>
  );
}
