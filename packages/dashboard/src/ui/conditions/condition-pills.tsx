import { Pill } from '@mantine/core';
import type { PillProps } from '@mantine/core';
import { describe } from './conditions.ts';
import type { PlayerCondition } from './conditions.ts';

/** Words with a button that removes them. The tab key reaches the button. */
export const RemovablePill = ({ name, ...pill }: PillProps & { name: string }) => (
  <Pill
    withRemoveButton
    removeButtonProps={{ 'aria-label': `Remove ${name}`, 'aria-hidden': false, tabIndex: 0 }}
    {...pill}
  />
);

interface ConditionPillsProps<C> extends Omit<PillProps, 'onChange'> {
  conditions: readonly C[];
  /** If undefined, the reader cannot remove a condition. */
  onChange?: (conditions: C[]) => void;
}

/** Conditions in words, each with a button that removes the condition. */
export function ConditionPills<C extends PlayerCondition>({
  conditions,
  onChange,
  ...pill
}: ConditionPillsProps<C>) {
  return conditions.map((condition, index) => {
    const words = describe(condition);
    return (
      <RemovablePill
        key={words + String(index)}
        name={words}
        withRemoveButton={onChange !== undefined}
        onRemove={() => onChange?.(conditions.toSpliced(index, 1))}
        {...pill}
      >
        {words}
      </RemovablePill>
    );
  });
}
