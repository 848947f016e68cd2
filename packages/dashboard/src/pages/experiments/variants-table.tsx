import { Group, Text } from '@mantine/core';
import { ConditionPills } from '../../ui/conditions/condition-pills.tsx';
import { Note } from '../../ui/text.tsx';
import { formatShare } from '../../ui/format.ts';
import { Value } from '../../ui/json/value.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { column, nameColumn } from '../../ui/tables/columns.tsx';
import { parametersOf } from './experiment-words.ts';
import type { Experiment } from './experiment-words.ts';
import { showName } from '../../ui/shown-name.ts';

type Variant = Experiment['variants'][number];

/** The variants with their values, and the condition on their players. */
export function VariantsTable({ experiment }: { experiment: Experiment }) {
  const { variants, condition } = experiment;
  const weights = variants.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <TableCard
      title="Variants"
      actions={condition && <ConditionWords condition={condition} />}
      label="Variants"
      rows={variants}
      rowKey={({ name }) => name}
      columns={[
        nameColumn('name', 'Variant', ({ name }: Variant) => name),
        column<Variant>('share', 'Part of the players', { align: 'end' }, ({ weight }) =>
          formatShare(weight / weights),
        ),
        ...parametersOf(experiment).map((key) =>
          column<Variant>(
            `parameter ${key}`,
            <code className="truncate">{showName(key)}</code>,
            ({ values }: Variant) =>
              values && Object.hasOwn(values, key) ? (
                <Value value={(values as Record<string, unknown>)[key]} />
              ) : (
                <Text span size="sm" c="dimmed">
                  as in the config
                </Text>
              ),
          ),
        ),
      ]}
    />
  );
}

function ConditionWords({ condition }: { condition: NonNullable<Experiment['condition']> }) {
  const { has_tags = [], lacks_tags = [], properties = [] } = condition;
  return (
    <Group gap={6} justify="flex-end" miw={0}>
      <Note>Only players with</Note>
      {has_tags.length > 0 && (
        <Text size="xs" className="name">
          the tags {has_tags.join(', ')}
        </Text>
      )}
      {lacks_tags.length > 0 && (
        <Text size="xs" className="name">
          none of the tags {lacks_tags.join(', ')}
        </Text>
      )}
      <ConditionPills conditions={properties} bg="var(--hover)" />
    </Group>
  );
}
