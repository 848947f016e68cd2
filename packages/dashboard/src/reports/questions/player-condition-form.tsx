import { Button, SegmentedControl, Select, Stack } from '@mantine/core';
import { takesValue } from '@overworld/contract/players/filter-operators';
import type { StatOperator } from '@overworld/contract/players/filter-operators';
import { useState } from 'react';
import { ComparisonFields } from '../../ui/conditions/comparison-fields.tsx';
import { ConditionFields, ConditionPopover } from '../../ui/conditions/condition-form.tsx';
import { OPERATORS_OF_STATS } from '../../ui/conditions/conditions.ts';
import type { PlayerCondition, StatCondition } from '../../ui/conditions/conditions.ts';
import { readNumber } from '../../ui/forms/read-number.ts';
import { Dimmed } from '../../ui/text.tsx';
import { useStatOptions } from './known-names.ts';

interface PlayerConditionFormProps {
  /** The suggested property names. */
  properties: string[];
  onAdd: (condition: PlayerCondition) => void;
}

/** A form for one condition on a property or on a statistic of players. */
export function PlayerConditionForm(props: PlayerConditionFormProps & { compact?: boolean }) {
  const { properties, onAdd, compact } = props;
  return (
    <ConditionPopover compact={compact}>
      {(close) => (
        <PlayerConditionFields
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

/** The switch is left out in a game without statistics. */
function PlayerConditionFields({ properties, onAdd }: PlayerConditionFormProps) {
  const [kind, setKind] = useState('property');
  const stats = useStatOptions() ?? [];
  return (
    <Stack gap="sm">
      {stats.length > 0 && (
        <SegmentedControl
          aria-label="Condition on"
          fullWidth
          size="xs"
          value={kind}
          onChange={setKind}
          data={[
            { value: 'property', label: 'Property' },
            { value: 'stat', label: 'Statistic' },
          ]}
        />
      )}
      {kind === 'stat' ? (
        <StatConditionFields onAdd={onAdd} />
      ) : (
        <ConditionFields properties={properties} onAdd={onAdd} />
      )}
    </Stack>
  );
}

/** The fields for one condition on a statistic. */
export function StatConditionFields({ onAdd }: { onAdd: (condition: StatCondition) => void }) {
  const stats = useStatOptions();
  const [stat, setStat] = useState<string | null>(null);
  const [operator, setOperator] = useState<StatOperator>('gte');
  const [text, setText] = useState('');
  const withValue = takesValue(operator);
  const value = readNumber(text.trim());
  const isWhole = stat !== null && (!withValue || Number.isFinite(value));
  if (stats?.length === 0) return <Dimmed>The game has no statistics yet.</Dimmed>;

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (isWhole) onAdd(withValue ? { stat, operator, value } : { stat, operator });
      }}
    >
      <Stack gap="sm">
        <Select
          label="Statistic"
          placeholder="Choose a statistic"
          searchable
          data={stats ?? []}
          value={stat}
          onChange={setStat}
          comboboxProps={{ withinPortal: false }}
        />
        <ComparisonFields
          operators={OPERATORS_OF_STATS}
          operator={operator}
          onOperator={setOperator}
          text={withValue ? text : null}
          onText={setText}
          width={120}
        />
        <Button type="submit" disabled={!isWhole}>
          Add
        </Button>
      </Stack>
    </form>
  );
}
