import { Group, Pill } from '@mantine/core';
import { ConditionForm } from '../../ui/conditions/condition-form.tsx';
import { describe } from '../../ui/conditions/conditions.ts';
import type { Condition } from '../../ui/conditions/conditions.ts';

/** Conditions on properties, all of which must hold; added by a form, each removed by its own button. */
export function ConditionsField(props: {
  conditions: Condition[];
  /** Names to choose from. */
  properties: string[];
  onChange: (conditions: Condition[]) => void;
}) {
  const { conditions, properties, onChange } = props;
  return (
    <Group gap={6}>
      {conditions.map((condition, index) => {
        const words = describe(condition);
        return (
          <Pill
            key={words + String(index)}
            withRemoveButton
            onRemove={() => onChange(conditions.filter((_, other) => other !== index))}
            removeButtonProps={{
              'aria-label': `Remove ${words}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
            maw="100%"
            bg="var(--hover)"
          >
            {words}
          </Pill>
        );
      })}
      <ConditionForm
        compact
        properties={properties}
        onAdd={(condition) => onChange([...conditions, condition])}
      />
    </Group>
  );
}
