import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import { MAX_SAVE_CONDITIONS, needsValue } from '@overworld/contract/saves/restoration-limits';
import type { SaveOperator } from '@overworld/contract/saves/restoration-limits';
import { ComparisonFields } from '../../../ui/conditions/comparison-fields.tsx';
import { RemovablePill } from '../../../ui/conditions/condition-pills.tsx';
import { parseScalar } from '../../../ui/conditions/conditions.ts';
import { FormPopover } from '../../../ui/forms/form-popover.tsx';
import { Note, PartTitle } from '../../../ui/text.tsx';
import { describeCondition, readPath, SAVE_OPERATOR_OPTIONS } from './save-conditions.ts';
import type { SaveCondition } from './save-conditions.ts';

/** The conditions on the data of saves. */
export function ConditionsField(props: {
  conditions: SaveCondition[];
  onChange: (conditions: SaveCondition[]) => void;
}) {
  const { conditions, onChange } = props;
  return (
    <div>
      <PartTitle mb={4}>Conditions on the data</PartTitle>
      <Group gap="xs">
        {conditions.map((condition, index) => {
          const words = describeCondition(condition);
          return (
            <RemovablePill
              key={`${words} ${index}`}
              name={words}
              onRemove={() => onChange(conditions.toSpliced(index, 1))}
            >
              {words}
            </RemovablePill>
          );
        })}
        {conditions.length < MAX_SAVE_CONDITIONS && (
          <FormPopover
            label="Add condition"
            size="compact-sm"
            icon={<IconFilter size={13} aria-hidden />}
          >
            {(close) => (
              <ConditionFields
                onAdd={(condition) => {
                  onChange([...conditions, condition]);
                  close();
                }}
              />
            )}
          </FormPopover>
        )}
      </Group>
      <Note mt={4}>
        A version is bad if it meets all of them. Without any, all versions are bad.
      </Note>
    </div>
  );
}

function ConditionFields({ onAdd }: { onAdd: (condition: SaveCondition) => void }) {
  const [path, setPath] = useState('');
  const [operator, setOperator] = useState<SaveOperator>('fell_by_half');
  const [text, setText] = useState('');
  const withValue = needsValue(operator);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (path === '') return;
        const condition = { path: readPath(path), operator };
        onAdd(withValue ? { ...condition, value: parseScalar(text) } : condition);
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Place in the data"
          placeholder="wallet.coins"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
          data-autofocus
        />
        <ComparisonFields
          operators={SAVE_OPERATOR_OPTIONS}
          operator={operator}
          onOperator={setOperator}
          text={withValue ? text : null}
          onText={setText}
          width={170}
        />
        <Note>
          Dots lead into objects and lists, such as <code>party.0.level</code>. The first
          comparisons are with the version before.
        </Note>
        <Button type="submit" disabled={path === ''}>
          Add
        </Button>
      </Stack>
    </form>
  );
}
