import { Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { TIER_NAMES, TIERS } from '@overworld/contract/tiers';
import { sentence } from '../../api/failure.ts';
import { useChange, usePages, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { gamePath } from '../../shell/game.ts';
import {
  actionsColumn,
  agoColumn,
  column,
  memberColumn,
  sortedColumn,
} from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { formatCount } from '../../ui/format.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { notify } from '../../ui/notify.tsx';
import { RowButton } from '../../ui/buttons.tsx';
import { TableCard, tableOf } from '../../ui/tables/table-card.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { FormDialog, DialogForm, useDialog } from '../../ui/forms/dialogs.tsx';
import { TextLink } from '../../ui/links.tsx';
import { useForm } from '@mantine/form';
import type { LimitedResource } from '@overworld/contract/tiers';
import { formatLimit, LIMIT_NAMES, SHOWN_LIMITS } from '../../shell/limit-words.ts';
import { showName } from '../../ui/shown-name.ts';

type Game = Answer<'GET /v1/admin/games'>['games'][number];

export function GamesTab() {
  const { search, set } = useSearchState();
  const games = usePages('GET /v1/admin/games', {
    query: { search: search.get('search') ?? undefined },
  });
  const setTier = useChange('PATCH /v1/admin/games/{game_id}');
  const limiting = useDialog<Game>();

  const columns: Column<Game>[] = [
    sortedColumn('name', 'Game', ({ id, name }) => (
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
    sortedColumn(
      'events_this_month',
      'Events this month',
      ({ events_this_month, event_quota }) => (
        <>
          {formatCount(events_this_month)} of {formatCount(event_quota)}
          <Meter label="Quota used" value={events_this_month} limit={event_quota} />
        </>
      ),
      { width: 220 },
    ),
    memberColumn('member_count', 'Members'),
    agoColumn('created_at', 'Created'),
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

type Values = Record<LimitedResource | 'key_requests_per_minute', number | ''>;

/** A form that sets limits for one game, in place of the usual limits. */
function LimitsForm({ game }: { game: Game }) {
  const { id: game_id, name, tier, limit_overrides } = game;
  const usage = useRead('GET /v1/games/{game_id}/usage', { params: { game_id } });
  const save = useChange('PUT /v1/admin/games/{game_id}/limits');
  const form = useForm<Values>({
    initialValues: {
      ...(Object.fromEntries(
        SHOWN_LIMITS.map((resource) => [resource, limit_overrides[resource] ?? '']),
      ) as Record<LimitedResource, number | ''>),
      key_requests_per_minute: limit_overrides.key_requests_per_minute ?? '',
    },
  });
  const submit = async (values: Values) => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    await save.mutateAsync({ params: { game_id }, body });
    notify.done(`The limits of ${name} are set`);
  };
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action="Set limits"
      gap="sm"
      head={
        <Text size="sm" className="name">
          The limits of <b>{showName(name)}</b>. An empty field is the limit of its tier. A limit
          below what the game has deletes nothing but old submits in ledgers. Of all else, nothing
          more can be added.
        </Text>
      }
    >
      {SHOWN_LIMITS.map((resource) => {
        const used = usage.data?.limits[resource].used;
        const by_tier = TIERS[tier].limits[resource];
        return (
          <NumberInput
            key={resource}
            label={resource === 'save_bytes' ? 'Cloud saves, bytes' : LIMIT_NAMES[resource]}
            description={used === undefined ? ' ' : `${formatLimit(resource, used)} used`}
            placeholder={`${by_tier.toLocaleString('en')} by its tier`}
            min={0}
            allowDecimal={false}
            allowNegative={false}
            thousandSeparator=","
            {...form.getInputProps(resource)}
          />
        );
      })}
      <NumberInput
        label="Requests a minute of each API key"
        description="Up to RATE_LIMIT_CEILING, which the operator of this installation sets"
        placeholder="As many as for other games"
        min={0}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...form.getInputProps('key_requests_per_minute')}
      />
    </DialogForm>
  );
}
