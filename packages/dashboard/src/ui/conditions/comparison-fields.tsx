import { Group, Select, TextInput } from '@mantine/core';

/** The fields of a comparison side by side: its operator, and the value, if the operator takes one. */
export function ComparisonFields<Operator extends string>(props: {
  operators: readonly { value: Operator; label: string }[];
  operator: Operator;
  onOperator: (operator: Operator) => void;
  /** The text of the value; null if the operator takes none. */
  text: string | null;
  onText: (text: string) => void;
  /** The width of the operators beside a value, in pixels. */
  width: number;
}) {
  const { operators, operator, text, width } = props;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Select
        aria-label="Comparison"
        data={operators}
        value={operator}
        onChange={(value) => value && props.onOperator(value)}
        comboboxProps={{ withinPortal: false }}
        w={text === null ? '100%' : width}
        allowDeselect={false}
      />
      {text !== null && (
        <TextInput
          aria-label="Value"
          placeholder="10"
          value={text}
          onChange={(event) => props.onText(event.currentTarget.value)}
          style={{ flex: 1 }}
        />
      )}
    </Group>
  );
}
