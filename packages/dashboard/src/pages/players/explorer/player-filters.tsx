import { Button, Group, Menu, TagsInput } from '@mantine/core';
import { normalizeTag } from '@overworld/contract/players/tags';
import { IconColumns3 } from '@tabler/icons-react';
import { Dimmed } from '../../../ui/text.tsx';
import { PlayerConditionForm } from '../../../reports/questions/player-condition-form.tsx';
import { DebouncedSearch } from '../../../ui/forms/debounced-search.tsx';
import { MenuChoice } from '../../../ui/choice.tsx';
import { useDensityChoice } from '../../../ui/tables/density.ts';
import { ConditionPills } from '../../../ui/conditions/condition-pills.tsx';
import { OriginForm, OriginPills } from './player-origin.tsx';
import type { PlayerSearch } from './use-player-search.ts';
import { showName } from '../../../ui/shown-name.ts';

export function PlayerFilters(props: {
  filters: PlayerSearch;
  /** The properties that the found players have. */
  known: string[];
  /** The properties that have a column. */
  chosen: string[];
}) {
  const { filters, known, chosen } = props;
  return (
    <>
      <Group gap="xs">
        <DebouncedSearch
          label="Search by name or id"
          placeholder="Name, id, login or order number"
          value={filters.text}
          onChange={filters.setText}
        />
        <TagsInput
          aria-label="Tags"
          placeholder={filters.tags.length > 0 ? undefined : 'Tags'}
          value={filters.tags}
          onChange={(tags) => filters.setTags(tags.map(normalizeTag))}
          style={{ flex: '0 1 200px' }}
        />
        <PlayerConditionForm
          properties={known}
          onAdd={(condition) => filters.setConditions([...filters.conditions, condition])}
        />
        <OriginForm filters={filters} />
        <ColumnMenu filters={filters} known={known} chosen={chosen} />
      </Group>
      {filters.isFiltered && (
        <Group gap="xs">
          <ConditionPills
            conditions={filters.conditions}
            onChange={filters.setConditions}
            size="md"
          />
          <OriginPills filters={filters} />
          <Button size="compact-sm" variant="subtle" color="gray" onClick={filters.clear}>
            Clear all
          </Button>
        </Group>
      )}
    </>
  );
}

function ColumnMenu({ filters, known, chosen }: Parameters<typeof PlayerFilters>[0]) {
  const names = [...new Set([...chosen, ...known])];
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        <Menu.Label>Properties</Menu.Label>
        {names.length === 0 && (
          <Dimmed px="sm" pb="xs">
            These players have none.
          </Dimmed>
        )}
        {names.map((name) => (
          <Menu.CheckboxItem
            key={name}
            checked={chosen.includes(name)}
            onChange={(isChosen) =>
              filters.setColumns(
                isChosen ? [...chosen, name] : chosen.filter((each) => each !== name),
              )
            }
          >
            <span className="truncate" style={{ maxWidth: 170 }}>
              {showName(name)}
            </span>
          </Menu.CheckboxItem>
        ))}
        <MenuChoice choice={useDensityChoice()} />
      </Menu.Dropdown>
    </Menu>
  );
}
