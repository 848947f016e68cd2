import { Group, Select, Stack } from '@mantine/core';
import { TIER_NAMES } from '@overworld/contract/tiers';
import { sentence } from '../../api/failure.ts';
import { useChange, usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { gamePath } from '../../shell/game.ts';
import { actionsColumn, agoColumn, column, memberColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { LimitsForm } from './limits-form.tsx';
import { useDialog } from '../../ui/use-dialog.ts';

export type Game = Answer<'GET /v1/admin/games'>['games'][number];

export function GamesTab() {
  const { search, set } = useSearchState();
  const games = usePages('GET /v1/admin/games', {
    query: { search: search.get('search') ?? undefined },
  });
  const setTier = useChange('PATCH /v1/admin/games/{game_id}');
  const limiting = useDialog<Game>();

  const columns: Column<Game>[] = [
    column('name', 'Game', { value: ({ name }) => name }, ({ id, name }) => (
      <TextLink to={gamePath(id, 'production')} className="name">
        {name}
      </TextLink>
    )),
    column('tier', 'Tier', { width: 130 }, ({ id, name, tier }) => (
      <Select
        size="xs"
        miw={100}
        aria-label={`Tier of ${name}`}
        data={TIER_NAMES.map((value) => ({ value, label: sentence(value) }))}
        value={tier}
        onChange={(next) =>
          next &&
          next !== tier &&
          notify.outcome(
            setTier.mutateAsync({ params: { game_id: id }, body: { tier: next } }),
            `${name} is on the ${next} tier`,
          )
        }
      />
    )),
    column(
      'events',
      'Events this month',
      { width: 220, value: ({ events_this_month }) => events_this_month },
      ({ events_this_month, event_quota }) => (
        <>
          {formatCount(events_this_month)} of {formatCount(event_quota)}
          <Meter label="Quota used" value={events_this_month} limit={event_quota} />
        </>
      ),
    ),
    memberColumn('member_count', 'Members'),
    agoColumn('made', 'Created', ({ created_at }) => created_at),
    actionsColumn((game) => (
      <RowButton aria-label={`Limits of ${game.name}`} onClick={() => limiting.open(game)}>
        Limits
      </RowButton>
    )),
  ];

  return (
    <Stack gap="sm">
      <Group>
        <DebouncedSearch
          label="Search games"
          placeholder="Name or id"
          value={search.get('search') ?? ''}
          onChange={(text) => set({ search: text })}
        />
      </Group>
      <TableCard
        label="Games"
        {...tableOf(games, 'games')}
        rowKey={({ id }) => id}
        columns={columns}
        emptyTitle="No such games"
        emptyWords="Try another search."
      />
      <FormDialog {...limiting.frame} title="Limits of this game">
        {limiting.item && <LimitsForm game={limiting.item} />}
      </FormDialog>
    </Stack>
  );
}
