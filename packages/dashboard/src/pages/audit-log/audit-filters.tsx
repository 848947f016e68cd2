import { Button, Group, Select, TextInput } from '@mantine/core';
import { AUDIT_ACTIONS, CHANGES_OUTSIDE_OF_GAMES } from '@overworld/contract/games/audit-actions';
import { useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { isDay } from '../../reports/days/report-days.ts';
import { useGame } from '../../shell/game.ts';
import type { AuditSearch } from './use-audit-search.ts';

const ACTIONS = Object.entries(AUDIT_ACTIONS)
  .filter(([action]) => !CHANGES_OUTSIDE_OF_GAMES.includes(action))
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label));

/**
 * The earliest day that can be chosen. While the reader types a year, the field has a year such as 0002. Such
 * a day is earlier, so it is ignored.
 */
const FIRST_DAY = '1970-01-01';

/** Lets the reader choose the kind, the author and the days of the changes that the log shows. */
export function AuditFilters(props: {
  filters: AuditSearch;
  /** The e-mail address of the author in the filter, who may have left the game; null if unknown. */
  author: string | null;
}) {
  const { filters, author } = props;
  const { action, account_id, from, to } = filters.query;
  const { game_id } = useGame();
  const members = useRead('GET /v1/games/{game_id}/members', {
    params: { game_id },
    query: { limit: 200 },
  });
  const people = (members.data?.members ?? []).map((member) => ({
    value: member.account_id,
    label: member.email,
  }));
  if (account_id && !people.some(({ value }) => value === account_id)) {
    people.push({ value: account_id, label: author ?? account_id });
  }
  const isUnknown = action !== undefined && !ACTIONS.some(({ value }) => value === action);
  return (
    <Group gap="xs" mb="sm">
      <Select
        aria-label="Change"
        placeholder="Any change"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Any change' }}
        data={isUnknown ? [...ACTIONS, { value: action, label: action }] : ACTIONS}
        value={action ?? null}
        onChange={(value) => filters.set({ action: value })}
        flex="1 1 200px"
        maw={260}
      />
      <Select
        aria-label="Person"
        placeholder="Anybody"
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Anybody' }}
        data={people}
        value={account_id ?? null}
        onChange={(value) => filters.set({ account_id: value })}
        flex="1 1 200px"
        maw={260}
      />
      <Group gap={6} wrap="nowrap">
        <DayField label="First day" day={from} onChange={(day) => filters.set({ from: day })} />
        <span aria-hidden>–</span>
        <DayField label="Last day" day={to} onChange={(day) => filters.set({ to: day })} />
      </Group>
      {filters.isFiltered && (
        <Button variant="subtle" color="gray" onClick={filters.clear}>
          Show all
        </Button>
      )}
    </Group>
  );
}

function DayField(props: {
  label: string;
  day: string | undefined;
  onChange: (day: string | null) => void;
}) {
  const { label, day = '', onChange } = props;
  const [typed, setTyped] = useState({ for: day, text: day });
  const text = typed.for === day ? typed.text : day;
  return (
    <TextInput
      type="date"
      aria-label={label}
      min={FIRST_DAY}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setTyped({ for: day, text: value });
        if (value === '') onChange(null);
        else if (isDay(value) && value >= FIRST_DAY) onChange(value);
      }}
    />
  );
}
