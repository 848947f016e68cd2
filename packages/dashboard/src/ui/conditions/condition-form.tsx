import { takesValue } from '@overworld/contract/players/filter-operators';
import type { FilterOperator } from '@overworld/contract/players/filter-operators';
import { Autocomplete, Button, Stack } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Note } from '../text.tsx';
import { FormPopover } from '../forms/form-popover.tsx';
import { ComparisonFields } from './comparison-fields.tsx';
import { OPERATORS, parseScalar } from './conditions.ts';
import type { Condition } from './conditions.ts';

/** A button that opens the fields for one condition. */
export function ConditionPopover(props: {
  /** True if the form is one of several fields of a larger form, so that its button is small. */
  compact?: boolean;
  children: (close: () => void) => ReactNode;
}) {
  const { compact, children } = props;
  return (
    <FormPopover
      label="Add condition"
      size={compact ? 'compact-sm' : undefined}
      icon={<IconFilter size={compact ? 13 : 16} aria-hidden />}
    >
      {children}
    </FormPopover>
  );
}

/** A form for one condition on a property. */
export function ConditionForm(props: {
  properties: string[];
  onAdd: (condition: Condition) => void;
  compact?: boolean;
}) {
  const { properties, onAdd, compact } = props;
  return (
    <ConditionPopover compact={compact}>
      {(close) => (
        <ConditionFields
          properties={properties}
          onAdd={(condition) => {
            onAdd(condition);
            close();
          }}
        />
      )}
    </ConditionPopover>
  );
}

export function ConditionFields(props: {
  properties: string[];
  onAdd: (condition: Condition) => void;
}) {
  const [property, setProperty] = useState('');
  const [operator, setOperator] = useState<FilterOperator>('eq');
  const [text, setText] = useState('');
  const withValue = takesValue(operator);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (property === '') return;
        props.onAdd(
          withValue ? { property, operator, value: parseScalar(text) } : { property, operator },
        );
      }}
    >
      <Stack gap="sm">
        <Autocomplete
          label="Property"
          placeholder="level"
          data={props.properties}
          value={property}
          onChange={setProperty}
          comboboxProps={{ withinPortal: false }}
          data-autofocus
        />
        <ComparisonFields
          operators={OPERATORS}
          operator={operator}
          onOperator={setOperator}
          text={withValue ? text : null}
          onText={setText}
          width={120}
        />
        <Note>
          Numbers, true, false and null are read as such. Put "10" in quotes to compare with text.
        </Note>
        <Button type="submit" disabled={property === ''}>
          Add
        </Button>
      </Stack>
    </form>
  );
}
