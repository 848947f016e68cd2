import { Menu, SegmentedControl } from '@mantine/core';

/** A setting of the user with a few possible values, such as the theme. */
export interface Choice<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
}

/** Shows a setting as a part of a menu. The menu stays open after a click. */
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

/** Shows a setting as a row of buttons, one for each value. */
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
