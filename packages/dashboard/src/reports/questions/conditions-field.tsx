import { Group } from '@mantine/core';
import { ConditionForm } from '../../ui/conditions/condition-form.tsx';
import { ConditionPills } from '../../ui/conditions/condition-pills.tsx';
import type { Condition } from '../../ui/conditions/conditions.ts';

/** A field for conditions that must all hold. A form adds a condition, and a button removes one. */
export function ConditionsField(props: {
  conditions: Condition[];
  /** The suggested property names. */
  properties: string[];
  onChange: (conditions: Condition[]) => void;
}) {
  const { conditions, properties, onChange } = props;
  return (
    <Group gap={6}>
      <ConditionPills conditions={conditions} onChange={onChange} maw="100%" bg="var(--hover)" />
      <ConditionForm
        compact
        properties={properties}
        onAdd={(condition) => onChange([...conditions, condition])}
      />
    </Group>
  );
}
