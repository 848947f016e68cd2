import { Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../../shell/game.ts';
import { RoleNote } from '../../../shell/role-note.tsx';
import { Dimmed } from '../../../ui/text.tsx';
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

type Mode = (typeof MODES)[number]['value'];

/** Chooses how the server treats events that break their schema, in the environment of the page. */
export function ValidationMode() {
  const { game, game_id, environment, can } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}');
  const [asked, setAsked] = useState(false);
  const known: Record<typeof environment, Mode> = {
    production: game.event_validation,
    development: game.development_event_validation,
  };
  const member = `${environment}_event_validation` as const;
  const set = (mode: Mode) => update.mutateAsync({ params: { game_id }, body: { [member]: mode } });
  const sent = update.isPending ? update.variables.body : null;
  const mode = sent?.[member] ?? known[environment];
  const change = async (value: Mode) => {
    const before = known[environment];
    await set(value);
    const place = ENVIRONMENT_NAMES[environment].toLowerCase();
    notify.undoable(`Validation in ${place}: ${value}`, () => set(before));
  };
  return (
    <Card title={`Validation in ${ENVIRONMENT_NAMES[environment].toLowerCase()}`}>
      <Group gap="md">
        <SegmentedControl
          aria-label="Validation mode"
          disabled={!can('developer')}
          data={MODES.map(({ value, label }) => ({ value, label }))}
          value={mode}
          onChange={(value) => {
            if (value === 'reject') setAsked(true);
            else change(value).catch(notify.failed);
          }}
        />
        <Dimmed>
          {MODES.find(({ value }) => value === mode)?.words} Each environment has its own setting;
          the schemas are those of both.
        </Dimmed>
        <RoleNote role="developer" />
      </Group>
      <RejectDialog
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => change('reject')}
      />
    </Card>
  );
}
