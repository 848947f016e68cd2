import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { notify } from '../../../ui/notify.tsx';
import { Card } from '../../../ui/page.tsx';
import { RejectDialog } from './reject-dialog.tsx';

const MODES = [
  { value: 'off', label: 'Off', words: 'Events are not checked.' },
  {
    value: 'warn',
    label: 'Warn',
    words: 'Events that break their schema are stored, and the game gets a warning.',
  },
  {
    value: 'reject',
    label: 'Reject',
    words: 'Batches with an event that breaks its schema are refused.',
  },
] as const;

/** Chooses how the server treats events that break their schema. */
export function ValidationMode() {
  const { game, game_id, can } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const [asked, setAsked] = useState(false);
  const set = (event_validation: typeof game.event_validation) =>
    update.mutateAsync({ params: { game_id }, body: { event_validation } });
  const mode = update.isPending ? update.variables.body.event_validation : game.event_validation;
  const change = async (value: typeof game.event_validation) => {
    const before = game.event_validation;
    await set(value);
    notify.undoable(`Validation: ${value}`, () => set(before));
  };
  return (
    <Card title="Validation">
      <Group gap="md">
        <SegmentedControl
          aria-label="Validation mode"
          disabled={!can('developer')}
          data={MODES.map(({ value, label }) => ({ value, label }))}
          value={mode ?? 'off'}
          onChange={(value) => {
            if (value === 'reject') setAsked(true);
            else change(value).catch(notify.failed);
          }}
        />
        <Text size="sm" c="dimmed">
          {MODES.find(({ value }) => value === mode)?.words} Applies to both environments.
        </Text>
      </Group>
      <RejectDialog
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => change('reject')}
      />
    </Card>
  );
}
