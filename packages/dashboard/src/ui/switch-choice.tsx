import { SegmentedControl } from '@mantine/core';
import type { Choice } from './choice.ts';

/** A choice as a row of buttons. */
export function SwitchChoice<Value extends string>({ choice }: { choice: Choice<Value> }) {
  const { label, value, onChange, options } = choice;
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={label}
      value={value}
      onChange={onChange}
      data={[...options]}
    />
  );
}
