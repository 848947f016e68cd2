import { Menu } from '@mantine/core';
import type { Choice } from './choice.ts';

/** A choice as a part of a menu, which stays open. */
export function MenuChoice<Value extends string>({ choice }: { choice: Choice<Value> }) {
  const { label, value, onChange, options } = choice;
  return (
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={(chosen) => onChange(chosen as Value)}>
        {options.map((option) => (
          <Menu.RadioItem key={option.value} value={option.value}>
            {option.label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
