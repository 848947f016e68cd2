import { Autocomplete, Button, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { usePlayerProperties, usePlayerTags, useSegmentNames } from '../questions/known-names.ts';

/** The ways in which players are told apart. */
export type PartKind = 'property' | 'tag' | 'without_tag' | 'segment';

const KINDS: { value: PartKind; label: string }[] = [
  { value: 'property', label: 'Property' },
  { value: 'tag', label: 'Tag' },
  { value: 'without_tag', label: 'Without tag' },
  { value: 'segment', label: 'Saved segment' },
];

/** Chooses a property, a tag or a saved segment of players. */
export function PlayerPartForm(props: {
  kinds: readonly PartKind[];
  action: string;
  onChoose: (kind: PartKind, name: string) => void;
  /** Stands in for the field of a property. */
  property?: (names: string[]) => ReactNode;
}) {
  const { kinds, action, onChoose, property } = props;
  const [kind, setKind] = useState<PartKind>('property');
  const [name, setName] = useState('');
  const names: Record<PartKind, string[]> = {
    property: usePlayerProperties(),
    tag: usePlayerTags(),
    without_tag: usePlayerTags(),
    segment: useSegmentNames(),
  };
  const chosen = name.trim();
  return (
    <Stack gap="sm">
      <Select
        label="Players by"
        data={KINDS.filter(({ value }) => kinds.includes(value))}
        value={kind}
        onChange={(value) => {
          if (value === null) return;
          setKind(value);
          setName('');
        }}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
      {kind === 'property' && property ? (
        property(names.property)
      ) : (
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
            ) : (
              <Autocomplete
                label={kind === 'property' ? 'Name of the property' : 'Tag'}
                placeholder={kind === 'property' ? 'country' : 'vip'}
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
      )}
    </Stack>
  );
}

function SegmentSelect(props: {
  names: string[];
  value: string;
  onChange: (name: string) => void;
}) {
  const { names, value, onChange } = props;
  if (names.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No segment is saved yet. Build one under Segments, and save it there.
      </Text>
    );
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
