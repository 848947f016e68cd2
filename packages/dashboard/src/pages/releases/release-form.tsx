import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  MAX_RELEASE_NAME_LENGTH,
  MAX_RELEASE_NOTE_LENGTH,
} from '@overworld/contract/analytics/release-limits';
import { findNameProblem, isVisible } from '@overworld/contract/names';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';

export type Release = Answer<'GET /v1/games/{game_id}/releases'>['releases'][number];

/** The form for the name and the note of a release. An empty field removes what was there. */
export function ReleaseForm({ edited }: { edited: Release }) {
  const { game_id } = useGame();
  const update = useChange('PATCH /v1/games/{game_id}/releases/{release_id}');
  const form = useForm({
    initialValues: { name: edited.name ?? '', note: edited.note ?? '' },
    validate: {
      name: (name) => {
        const problem = name.trim() === '' ? null : findNameProblem(name.trim());
        return problem && `The name ${problem}`;
      },
    },
  });
  return (
    <DialogForm
      form={form}
      action="Save"
      onSubmit={({ name, note }) =>
        update.mutateAsync({
          params: { game_id, release_id: edited.id },
          body: {
            name: name.trim() === '' ? null : name.trim(),
            note: isVisible(note) ? note.trim() : null,
          },
        })
      }
    >
      <TextInput
        label="Name"
        description="Stands beside the version, also on charts"
        placeholder="Winter festival"
        maxLength={MAX_RELEASE_NAME_LENGTH}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Note"
        description="What is new in it, for everybody in the game"
        maxLength={MAX_RELEASE_NOTE_LENGTH}
        autosize
        minRows={2}
        {...form.getInputProps('note')}
      />
    </DialogForm>
  );
}
