import { Group, NumberInput, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { PlayerConditionForm } from '../../../reports/questions/player-condition-form.tsx';
import { IconButton } from '../../../ui/buttons.tsx';
import { ConditionPills } from '../../../ui/conditions/condition-pills.tsx';
import type { RuleDraft } from './parameter-draft.ts';
import classes from './rule-fields.module.css';

export function RuleFields(props: {
  number: number;
  rule: RuleDraft;
  /** True if the user may look at the rule but not change it. */
  readOnly: boolean;
  onChange: (rule: RuleDraft) => void;
  onRemove: () => void;
  /** The controls that move the rule. */
  mover: ReactNode;
  /** The props that let the rule be dragged among the rules. */
  place: ComponentProps<'fieldset'>;
}) {
  const { number, rule, readOnly, onChange, onRemove, mover, place } = props;
  const set = (changes: Partial<RuleDraft>) => onChange({ ...rule, ...changes });
  return (
    <fieldset className={classes.rule} {...place}>
      <legend className="visually-hidden">Rule {number}</legend>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          {mover}
          <Text fw={600} size="sm" style={{ flex: 'none' }}>
            {number}.
          </Text>
          <TextInput
            size="xs"
            aria-label={`Name of rule ${number}`}
            placeholder="Name, for people"
            style={{ flex: 1 }}
            readOnly={readOnly}
            value={rule.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          {!readOnly && (
            <IconButton icon={IconTrash} label={`Remove rule ${number}`} onClick={onRemove} />
          )}
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          <TagsInput
            size="xs"
            label="Has all tags"
            readOnly={readOnly}
            value={rule.has_tags}
            onChange={(has_tags) => set({ has_tags })}
          />
          <TagsInput
            size="xs"
            label="Has none of the tags"
            readOnly={readOnly}
            value={rule.lacks_tags}
            onChange={(lacks_tags) => set({ lacks_tags })}
          />
        </SimpleGrid>
        <Group gap="xs">
          <ConditionPills
            conditions={rule.properties}
            onChange={readOnly ? undefined : (properties) => set({ properties })}
          />
          {!readOnly && (
            <PlayerConditionForm
              properties={[]}
              onAdd={(condition) => set({ properties: [...rule.properties, condition] })}
            />
          )}
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          <NumberInput
            size="xs"
            label="Percent of players"
            placeholder="all"
            min={0}
            max={100}
            suffix=" %"
            readOnly={readOnly}
            value={rule.percentage}
            onChange={(percentage) => set({ percentage })}
          />
          <TextInput
            size="xs"
            label="They get"
            placeholder="JSON"
            readOnly={readOnly}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={rule.value}
            onChange={(event) => set({ value: event.currentTarget.value })}
          />
        </SimpleGrid>
      </Stack>
    </fieldset>
  );
}
