import { SegmentedControl, Text } from '@mantine/core';
import type { SegmentedControlProps } from '@mantine/core';
import { useId } from 'react';

/** A labelled row of buttons, one of which is chosen. */
export function SwitchField({ label, ...control }: SegmentedControlProps & { label: string }) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl aria-labelledby={id} {...control} />
    </div>
  );
}
