import { Anchor, Button, Group, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChange, usePages } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { gamePath } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';
import { tableOf } from '../../ui/tables/paged.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { LimitsDialog } from './limits-dialog.tsx';

type Game = Answer<'GET /v1/admin/games'>['games'][number];

const TIERS = [
  { value: 'free', label: 'Free' },
  { value: 'indie', label: 'Indie' },
  { value: 'studio', label: 'Studio' },
] as const;

export function GamesTab() {
  const { search, set } = useSearchState();
  const games = usePages('GET /v1/admin/games', {
    query: { search: search.get('search') ?? undefined },
  });
  const setTier = useChange('PATCH /v1/admin/games/{game_id}');
  const [limited, setLimited] = useState<Game | null>(null);

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
      <Card flush>
        <DataTable
          label="Games"
          {...tableOf(games, 'games')}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'name',
              head: 'Game',
              value: ({ name }) => name,
              cell: ({ id, name }) => (
                <Anchor component={Link} to={gamePath(id, 'production')} size="sm" className="name">
                  {name}
                </Anchor>
              ),
            },
            {
              id: 'tier',
              head: 'Tier',
              width: 130,
              cell: ({ id, name, tier }) => (
                <Select
                  size="xs"
                  miw={100}
                  aria-label={`Tier of ${name}`}
                  data={TIERS}
                  value={tier}
                  allowDeselect={false}
                  onChange={(next) =>
                    next &&
                    next !== tier &&
                    void setTier
                      .mutateAsync({ params: { game_id: id }, body: { tier: next } })
                      .then(() => notify.done(`${name} is on the ${next} tier`))
                      .catch(notify.failed)
                  }
                />
              ),
            },
            {
              id: 'events',
              head: 'Events this month',
              width: 220,
              value: ({ events_this_month }) => events_this_month,
              cell: ({ events_this_month, event_quota }) => (
                <>
                  {formatCount(events_this_month)} of {formatCount(event_quota)}
                  <Meter label="Quota used" value={events_this_month} limit={event_quota} />
                </>
              ),
            },
            {
              id: 'members',
              head: 'Members',
              align: 'end',
              value: ({ member_count }) => member_count,
              cell: ({ member_count }) => formatCount(member_count),
            },
            {
              id: 'made',
              head: 'Created',
              value: ({ created_at }) => Date.parse(created_at),
              cell: ({ created_at }) => <Ago at={created_at} />,
            },
            {
              id: 'limits',
              head: <span className="visually-hidden">Limits</span>,
              align: 'end',
              cell: (game) => (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  aria-label={`Limits of ${game.name}`}
                  onClick={() => setLimited(game)}
                >
                  Limits
                </Button>
              ),
            },
          ]}
          empty={<EmptyState title="No such games">Try another search.</EmptyState>}
        />
      </Card>
      <LimitsDialog game={limited} onClose={() => setLimited(null)} />
    </Stack>
  );
}
