import { NumberInput, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { usePlayerProperties, usePlayerTags } from '../../../reports/questions/known-names.ts';
import { PlayerConditionsField } from '../../../reports/questions/player-conditions-field.tsx';
import type { ExperimentFields } from './experiment-draft.ts';

/** The share of the players who take part, and the condition that they must meet. */
export function PlayersFields({ form }: { form: ExperimentFields }) {
  const tags = usePlayerTags();
  const properties = usePlayerProperties();
  return (
    <Stack gap="md">
      <NumberInput
        label="Share of the players"
        description="All variants share it. It can be raised while the experiment runs, and never lowered."
        suffix=" %"
        min={0}
        max={100}
        clampBehavior="none"
        maw={360}
        {...form.getInputProps('share')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TagsInput
          label="Only players with all tags"
          data={tags}
          {...form.getInputProps('has_tags')}
          {...refusalOf(form, 'condition.has_tags')}
        />
        <TagsInput
          label="Only players with none of the tags"
          data={tags}
          {...form.getInputProps('lacks_tags')}
          {...refusalOf(form, 'condition.lacks_tags')}
        />
      </SimpleGrid>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Only players with properties and statistics
        </Text>
        <PlayerConditionsField
          conditions={form.values.properties}
          properties={properties}
          onChange={(changed) => form.setFieldValue('properties', changed)}
        />
      </div>
    </Stack>
  );
}

/** Shows the server's error at a field whose path in the form differs from its path in the request body. */
const refusalOf = (form: ExperimentFields, path: string) => ({
  'data-path': path,
  error: form.errors[path],
});
