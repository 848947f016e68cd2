import { NumberInput, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { ConditionsField } from '../../../reports/questions/conditions-field.tsx';
import { usePlayerProperties, usePlayerTags } from '../../../reports/questions/known-names.ts';
import type { ExperimentDraft } from './experiment-draft.ts';

/** The share of the players, and the condition on them. */
export function PlayersFields(props: {
  draft: ExperimentDraft;
  onChange: (changes: Partial<ExperimentDraft>) => void;
}) {
  const { draft, onChange } = props;
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
        value={draft.share}
        onChange={(share) => onChange({ share })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TagsInput
          label="Only players with all tags"
          data={tags}
          value={draft.has_tags}
          onChange={(has_tags) => onChange({ has_tags })}
        />
        <TagsInput
          label="Only players with none of the tags"
          data={tags}
          value={draft.lacks_tags}
          onChange={(lacks_tags) => onChange({ lacks_tags })}
        />
      </SimpleGrid>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Only players with properties
        </Text>
        <ConditionsField
          conditions={draft.properties}
          properties={properties}
          onChange={(changed) => onChange({ properties: changed })}
        />
      </div>
    </Stack>
  );
}
