import { Button, Group, Menu, Select, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useNavigate, useParams } from 'react-router';
import { useState } from 'react';
import { useChange, usePages, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/time/moment.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { countOf, formatCount, formatScore } from '../../ui/format.ts';
import { formatDay } from '../../ui/time/format-time.ts';
import { ItemPage } from '../../ui/item-page.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { listOf } from '../../ui/tables/table-card.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { Stat, StatsSkeleton } from '../../ui/stat.tsx';
import { KEEPS_WORDS, ORDER_WORDS, RESET_WORDS } from './board-words.ts';
import { Entries } from './entries.tsx';
import type { Answer } from '../../api/operations.ts';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { ActionsMenu, DangerItem } from '../../ui/actions-menu.tsx';
import { notify } from '../../ui/notify.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { BoardForm } from './board-form.tsx';
import { Decisions } from './decisions.tsx';
import { RewardsForm } from './rewards/rewards-form.tsx';
import { SeasonRewards } from './rewards/season-rewards.tsx';
import { RulesForm } from './rules-form.tsx';
import { WaitingScores } from './waiting-scores.tsx';
import { showName } from '../../ui/shown-name.ts';

/** The interval at which the page loads the number of waiting scores again. */
const COUNT_EVERY_MS = 10_000;

export function Component() {
  const { inEnvironment, can } = useGame();
  const { board_name = '' } = useParams();
  const input = inEnvironment({ board_name });
  const board = useRead('GET /v1/games/{game_id}/leaderboards/{board_name}', input, {
    every: COUNT_EVERY_MS,
  });

  return (
    <ItemPage
      title={board_name}
      item={board}
      list={{ path: 'leaderboards', name: 'Leaderboards' }}
      missingTitle="No such leaderboard"
      missingWords="It was deleted, or no score was submitted to it yet."
      actions={
        board.data ? (
          <BoardActions board={board.data} />
        ) : (
          board.isPending && <Skeleton height={36} width={196} />
        )
      }
    >
      <Stack gap="md">
        <Card>
          <Loaded query={board} skeleton={<StatsSkeleton />}>
            {(data) => (
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
                <Stat label="Entries this season" value={formatCount(data.total_entries)} />
                <Stat label={KEEPS_WORDS[data.keeps]} value={ORDER_WORDS[data.order]} />
                <Stat label="Resets" value={RESET_WORDS[data.reset_schedule]} />
                {data.ends_at ? (
                  <Stat label={`Season ${data.season} ends`} value={<Ago at={data.ends_at} />} />
                ) : (
                  <Stat label="Score range" value={boundsOf(data.min_score, data.max_score)} />
                )}
              </SimpleGrid>
            )}
          </Loaded>
        </Card>
        <PageTabs
          tabs={[
            {
              value: 'entries',
              name: 'Entries',
              panel: () => <SeasonEntries board_name={board_name} />,
            },
            ...(can('developer')
              ? [
                  {
                    value: 'waiting',
                    name: 'Waiting',
                    count: board.data?.waiting_scores,
                    panel: () => <WaitingScores board_name={board_name} />,
                  },
                  {
                    value: 'decisions',
                    name: 'Decisions',
                    panel: () => <Decisions board_name={board_name} />,
                  },
                ]
              : []),
          ]}
        />
      </Stack>
    </ItemPage>
  );
}

function SeasonEntries({ board_name }: { board_name: string }) {
  const { game, inEnvironment } = useGame();
  const { search, set } = useSearchState();
  const input = inEnvironment({ board_name });
  const seasons = usePages('GET /v1/games/{game_id}/leaderboards/{board_name}/seasons', input);
  const season = search.has('season') ? Number(search.get('season')) : undefined;
  const shown = listOf(seasons, 'seasons')?.find(
    (each) => each.season === season && each.ended_at !== null,
  );
  return (
    <Stack gap="md">
      <Group gap="xs">
        <DebouncedSearch
          label="Find a player"
          placeholder="Find a player by id or name"
          value={search.get('search') ?? ''}
          onChange={(text) => set({ search: text, page: null })}
        />
        <Select
          aria-label="Season"
          w={230}
          value={season === undefined ? 'current' : String(season)}
          onChange={(value) => set({ season: value === 'current' ? null : value, page: null })}
          data={[
            { value: 'current', label: 'Current season' },
            ...(listOf(seasons, 'seasons') ?? [])
              .filter(({ ended_at }) => ended_at !== null)
              .map((each) => ({
                value: String(each.season),
                label: `Season ${each.season}, until ${formatDay(each.ended_at!, game.time_zone)}`,
              })),
          ]}
        />
      </Group>
      {shown && <SeasonRewards board_name={board_name} {...shown} />}
      <Entries board_name={board_name} season={season} />
    </Stack>
  );
}

function boundsOf(lowest: number | null, highest: number | null): string {
  if (lowest === null && highest === null) return 'Any';
  if (highest === null) return `${formatScore(lowest!)} and up`;
  if (lowest === null) return `Up to ${formatScore(highest)}`;
  return `${formatScore(lowest)} to ${formatScore(highest)}`;
}

type Board = Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}'>;

function BoardActions({ board }: { board: Board }) {
  const { game_id, environment, inEnvironment, can, path } = useGame();
  const { board_name, total_entries, season } = board;
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'settings' | 'rules' | 'rewards' | 'reset' | 'delete' | null>(
    null,
  );
  const reset = useChange('POST /v1/games/{game_id}/leaderboards/{board_name}/reset');
  const remove = useChange('DELETE /v1/games/{game_id}/leaderboards/{board_name}', {
    leaves: true,
  });
  const close = () => setAsked(null);
  if (!can('developer')) return null;

  return (
    <>
      <Button variant="default" onClick={() => setAsked('rules')}>
        Rules
      </Button>
      <Button variant="default" onClick={() => setAsked('rewards')}>
        Rewards
      </Button>
      <Button variant="default" onClick={() => setAsked('settings')}>
        Settings
      </Button>
      {can('admin') && (
        <ActionsMenu>
          <Menu.Item onClick={() => setAsked('reset')}>Begin a new season</Menu.Item>
          <DangerItem onClick={() => setAsked('delete')}>Delete leaderboard</DangerItem>
        </ActionsMenu>
      )}
      <FormDialog opened={asked === 'settings'} onClose={close} title="Leaderboard settings">
        <BoardForm board={board} />
      </FormDialog>
      <FormDialog opened={asked === 'rules'} onClose={close} title="Rules for submits" size="lg">
        <RulesForm board={board} />
      </FormDialog>
      <FormDialog opened={asked === 'rewards'} onClose={close} title="Rewards of seasons" size="lg">
        <RewardsForm board={board} season={null} />
      </FormDialog>
      <Confirm
        opened={asked === 'reset'}
        onClose={close}
        title="Begin a new season?"
        action="Begin new season"
        onConfirm={async () => {
          await reset.mutateAsync(inEnvironment({ board_name }));
          notify.done('A new season has begun');
        }}
      >
        Season {season} of <b>{showName(board_name)}</b> in {environment} ends now with{' '}
        {countOf(total_entries, 'entry', 'entries')}. It stays readable, but nobody can submit to it
        again. All players start anew.
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={close}
        title="Delete this leaderboard?"
        action="Delete leaderboard permanently"
        typed={board_name.length <= 40 ? board_name : 'delete'}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { game_id, board_name } });
          void navigate(path('leaderboards'));
        }}
      >
        <b>{showName(board_name)}</b> is deleted with its settings, all its entries and all past
        seasons, in both environments. This cannot be undone.
      </Confirm>
    </>
  );
}
