import { Group, NumberInput, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { ConfigRule } from '@overworld/contract/remote-config/config';
import { parseOr } from '../../api/exact-json.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconTrash } from '../../ui/icons.ts';
import { readNumber } from '../../ui/forms/read-number.ts';
import { ConditionForm } from '../../ui/conditions/condition-form.tsx';
import { ConditionPills } from '../../ui/conditions/condition-pills.tsx';
import type { Condition } from '../../ui/conditions/conditions.ts';
import classes from './rule-fields.module.css';

/** A rule that is being edited, with all its fields and with texts as they were typed. */
export interface RuleDraft {
  id: string;
  name: string;
  has_tags: string[];
  lacks_tags: string[];
  properties: Condition[];
  percentage: number | string;
  salt: string | undefined;
  value: string;
}

export const readRule = (rule: ConfigRule): RuleDraft => ({
  id: crypto.randomUUID(),
  name: rule.name ?? '',
  has_tags: rule.has_tags ?? [],
  lacks_tags: rule.lacks_tags ?? [],
  properties: rule.properties ?? [],
  percentage: rule.percentage ?? '',
  salt: rule.salt,
  value: JSON.stringify(rule.value),
});

export const blankRule = (): RuleDraft => ({ ...readRule({ value: null }), value: '' });

/** @throws Error that names the mistake of the draft. */
export function writeRule(draft: RuleDraft, number: number): ConfigRule {
  const refuse = (words: string) => new Error(`Rule ${number}: ${words}`);
  const value = parseOr(draft.value, undefined);
  if (value === undefined) throw refuse('the value is not JSON; put text in quotes');
  const percentage = readNumber(draft.percentage);
  if (Number.isNaN(percentage)) throw refuse('the percentage is not a number');
  const rule: ConfigRule = { value };
  if (draft.name) rule.name = draft.name;
  if (draft.has_tags.length > 0) rule.has_tags = draft.has_tags;
  if (draft.lacks_tags.length > 0) rule.lacks_tags = draft.lacks_tags;
  if (draft.properties.length > 0) rule.properties = draft.properties;
  if (percentage !== undefined) rule.percentage = percentage;
  if (draft.salt !== undefined) rule.salt = draft.salt;
  const states = rule.has_tags ?? rule.lacks_tags ?? rule.properties ?? rule.percentage;
  if (states === undefined) throw refuse('choose who gets it: tags, properties or a percentage');
  return rule;
}

export function RuleFields(props: {
  number: number;
  rule: RuleDraft;
  /** Whether the reader may look at the rule but not change it. */
  readOnly: boolean;
  onChange: (rule: RuleDraft) => void;
  onRemove: () => void;
}) {
  const { number, rule, readOnly, onChange, onRemove } = props;
  const set = (changes: Partial<RuleDraft>) => onChange({ ...rule, ...changes });
  return (
    <fieldset className={classes.rule}>
      <legend className="visually-hidden">Rule {number}</legend>
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
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
            <ConditionForm
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
