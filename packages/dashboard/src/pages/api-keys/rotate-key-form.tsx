import { Alert, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Dimmed } from '../../ui/text.tsx';
import { DialogForm } from '../../ui/forms/form-dialog.tsx';
import { Moment } from '../../ui/time/moment.tsx';
import type { ApiKey } from './key-state.tsx';
import { NewKey } from './shown-key.tsx';

const ROTATE = 'POST /v1/games/{game_id}/api-keys/{key_id}/rotate';
type Rotated = Answer<typeof ROTATE>;

/** How long the old key may go on working, in hours. */
const TIMES = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'An hour' },
  { value: '24', label: 'A day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
];

export function RotateKeyForm({ apiKey }: { apiKey: ApiKey }) {
  const { game_id } = useGame();
  const rotate = useChange(ROTATE);
  const [made, setMade] = useState<Rotated | null>(null);
  const form = useForm({ initialValues: { old_key_valid_hours: '24' } });
  const hours = Number(form.values.old_key_valid_hours);

  if (made !== null) return <RotatedKey made={made} />;
  return (
    <DialogForm
      form={form}
      onSubmit={() =>
        rotate.mutateAsync({
          params: { game_id, key_id: apiKey.id },
          body: { old_key_valid_hours: hours },
        })
      }
      onDone={setMade}
      action="Rotate key"
      isStep
    >
      <Text size="sm" className="name">
        A new key takes the place of <b>{apiKey.name}</b> (<code>{apiKey.prefix}…</code>), of the
        same name and environment.
      </Text>
      <Select
        label="The old key works on for"
        data={TIMES}
        {...form.getInputProps('old_key_valid_hours')}
      />
      {hours === 0 ? (
        <Alert color="clay" py="xs">
          Games that send the old key are refused within a second, for ever.
        </Alert>
      ) : (
        <Dimmed>
          Until then both keys work. Bring every game and server to the new one; you can end the old
          one earlier.
        </Dimmed>
      )}
    </DialogForm>
  );
}

function RotatedKey({ made }: { made: Rotated }) {
  const { prefix, expires_at } = made.old_key;
  const isOver = Date.parse(expires_at!) <= Date.parse(made.created_at);
  return (
    <NewKey value={made.key}>
      <Text size="sm">
        The old key <code>{prefix}…</code>{' '}
        {isOver ? (
          'no longer works.'
        ) : (
          <>
            works until <Moment at={expires_at!} to="minute" />.
          </>
        )}
      </Text>
      <Dimmed>
        A game with one of the SDKs keeps its players when its key changes. In TypeScript, waiting
        events stay on their devices if the game has a <code>storeName</code>.
      </Dimmed>
    </NewKey>
  );
}
