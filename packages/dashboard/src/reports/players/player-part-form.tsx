import { Autocomplete, Button, Select, Stack } from '@mantine/core';
import { FIRST_SESSION_PROPERTIES } from '@overworld/contract/players/first-session';
import type { FirstSessionProperty } from '@overworld/contract/players/first-session';
import { useState } from 'react';
import { ConditionFields } from '../../ui/conditions/condition-form.tsx';
import type { PlayerCondition } from '../../ui/conditions/conditions.ts';
import { Dimmed } from '../../ui/text.tsx';
import {
  usePlayerProperties,
  usePlayerTags,
  usePlayerTexts,
  useSegmentNames,
} from '../questions/known-names.ts';
import { StatConditionFields } from '../questions/player-condition-form.tsx';

/** The kinds of conditions that select players or split them by a name. */
export type PartKind = FirstSessionProperty | 'property' | 'tag' | 'without_tag' | 'segment';

/** Tells whether a kind is a property that the first session of a player sets. */
export const isOfFirstSession = (kind: PartKind): kind is FirstSessionProperty =>
  Object.hasOwn(FIRST_SESSION_PROPERTIES, kind);

const KINDS: { value: PartKind | 'stat'; label: string }[] = [
  { value: 'platform', label: 'Platform' },
  { value: 'first_version', label: 'First version' },
  { value: 'country', label: 'Country' },
  { value: 'property', label: 'Property' },
  { value: 'stat', label: 'Statistic' },
  { value: 'tag', label: 'Tag' },
  { value: 'without_tag', label: 'Without tag' },
  { value: 'segment', label: 'Saved segment' },
];

/** The form that chooses a property, a tag or a saved segment of players. */
export function PlayerPartForm(props: {
  action: 'Add' | 'Split';
  onChoose: (kind: PartKind, name: string) => void;
  /** Takes conditions on properties and statistics. A split has none. */
  onCondition?: (condition: PlayerCondition) => void;
}) {
  const { action, onChoose, onCondition } = props;
  const [kind, setKind] = useState<PartKind | 'stat'>('property');
  const [name, setName] = useState('');
  const names: Record<PartKind, string[]> = {
    platform: usePlayerTexts('platform'),
    first_version: usePlayerTexts('first_version'),
    country: usePlayerTexts('country'),
    property: usePlayerProperties(),
    tag: usePlayerTags(),
    without_tag: usePlayerTags(),
    segment: useSegmentNames(),
  };
  const fields = () => {
    if (kind === 'stat') return <StatConditionFields onAdd={(each) => onCondition?.(each)} />;
    if (kind === 'property' && onCondition) {
      return <ConditionFields properties={names.property} onAdd={onCondition} />;
    }
    // A split by a property of the first session needs no value, because it makes a group for each value.
    const isWhole = action === 'Split' && isOfFirstSession(kind);
    const chosen = isWhole ? kind : name.trim();
    const { label, placeholder } = FIELDS[kind];
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (chosen !== '') onChoose(kind, chosen);
        }}
      >
        <Stack gap="sm">
          {kind === 'segment' ? (
            <SegmentSelect names={names.segment} value={name} onChange={setName} />
          ) : isWhole ? null : (
            <Autocomplete
              key={kind}
              label={label}
              placeholder={placeholder}
              data={names[kind]}
              value={name}
              onChange={setName}
              maxLength={255}
              comboboxProps={{ withinPortal: false }}
            />
          )}
          <Button type="submit" disabled={chosen === ''}>
            {action}
          </Button>
        </Stack>
      </form>
    );
  };
  return (
    <Stack gap="sm">
      <Select
        label="Players by"
        data={KINDS.filter(
          ({ value }) => action === 'Add' || (value !== 'without_tag' && value !== 'stat'),
        )}
        value={kind}
        onChange={(value) => {
          if (value === null) return;
          setKind(value);
          setName('');
        }}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
      {fields()}
    </Stack>
  );
}

const FIELDS: Record<PartKind, { label: string; placeholder: string }> = {
  platform: { label: 'Platform', placeholder: 'ios' },
  first_version: { label: 'First version', placeholder: '1.4.0' },
  country: { label: 'Country', placeholder: 'DE' },
  property: { label: 'Name of the property', placeholder: 'level' },
  tag: { label: 'Tag', placeholder: 'vip' },
  without_tag: { label: 'Tag', placeholder: 'vip' },
  segment: { label: 'Segment', placeholder: '' },
};

function SegmentSelect(props: {
  names: string[];
  value: string;
  onChange: (name: string) => void;
}) {
  const { names, value, onChange } = props;
  if (names.length === 0) {
    return <Dimmed>No segment is saved yet. Build one under Segments, and save it there.</Dimmed>;
  }
  return (
    <Select
      label="Segment"
      placeholder="Choose a segment"
      data={names}
      searchable
      value={value === '' ? null : value}
      onChange={(name) => onChange(name ?? '')}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
