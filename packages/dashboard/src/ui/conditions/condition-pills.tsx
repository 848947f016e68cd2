import { Pill } from '@mantine/core';
import type { PillProps } from '@mantine/core';
import { describe } from './conditions.ts';
import type { Condition } from './conditions.ts';

interface ConditionPillsProps extends Omit<PillProps, 'onChange'> {
  conditions: readonly Condition[];
  /** Without it, the reader cannot remove a condition. */
  onChange?: (conditions: Condition[]) => void;
}

/** Conditions in words, each with a button that removes it. */
export function ConditionPills({ conditions, onChange, ...pill }: ConditionPillsProps) {
  return conditions.map((condition, index) => {
    const words = describe(condition);
    return (
      <Pill
        key={words + String(index)}
        withRemoveButton={onChange !== undefined}
        onRemove={() => onChange?.(conditions.toSpliced(index, 1))}
        removeButtonProps={{ 'aria-label': `Remove ${words}`, 'aria-hidden': false, tabIndex: 0 }}
        {...pill}
      >
        {words}
      </Pill>
    );
  });
}
