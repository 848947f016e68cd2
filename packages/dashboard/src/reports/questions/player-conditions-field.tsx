import { Group } from '@mantine/core';
import { ConditionPills } from '../../ui/conditions/condition-pills.tsx';
import type { PlayerCondition } from '../../ui/conditions/conditions.ts';
import { PlayerConditionForm } from './player-condition-form.tsx';

/** A field for conditions on properties and statistics of players that must all hold. */
export function PlayerConditionsField(props: {
  conditions: PlayerCondition[];
  /** The suggested property names. */
  properties: string[];
  onChange: (conditions: PlayerCondition[]) => void;
}) {
  const { conditions, properties, onChange } = props;
  return (
    <Group gap={6}>
      <ConditionPills conditions={conditions} onChange={onChange} maw="100%" bg="var(--hover)" />
      <PlayerConditionForm
        compact
        properties={properties}
        onAdd={(condition) => onChange([...conditions, condition])}
      />
    </Group>
  );
}
