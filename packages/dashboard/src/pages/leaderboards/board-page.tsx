import { Group, Select, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { usePages, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { DebouncedSearch } from '../../ui/forms/debounced-search.tsx';
import { formatCount, formatDay, formatScore } from '../../ui/format.ts';
import { ItemPage } from '../../ui/item-page.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { listOf } from '../../ui/tables/paged.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { Stat, StatsSkeleton } from '../../ui/stat.tsx';
import { BoardActions } from './board-actions.tsx';
import { ORDER_WORDS, RESET_WORDS } from './board-words.ts';
import { Entries } from './entries.tsx';

export function Component() {
  const { inEnvironment } = useGame();
  const { board_name = '' } = useParams();
  const { search, set } = useSearchState();
  const input = inEnvironment({ board_name });
  const board = useRead('GET /v1/games/{game_id}/leaderboards/{board_name}', input);
  const seasons = usePages('GET /v1/games/{game_id}/leaderboards/{board_name}/seasons', input);
  const season = search.has('season') ? Number(search.get('season')) : undefined;

  return (
    <ItemPage
      title={board_name}
      item={board}
      list={{ path: 'leaderboards', name: 'Leaderboards' }}
      missing={{
        title: 'No such leaderboard',
        words: 'It was deleted, or no score was submitted to it yet.',
      }}
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
                <Stat label="Order" value={ORDER_WORDS[data.order]} />
                <Stat label="Resets" value={RESET_WORDS[data.reset_schedule]} />
                {data.ends_at ? (
                  <Stat label={`Season ${data.season} ends`} value={<Ago at={data.ends_at} />} />
                ) : (
                  <Stat label="Accepted scores" value={boundsOf(data.min_score, data.max_score)} />
                )}
              </SimpleGrid>
            )}
          </Loaded>
        </Card>
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
            allowDeselect={false}
            value={season === undefined ? 'current' : String(season)}
            onChange={(value) => set({ season: value === 'current' ? null : value, page: null })}
            data={[
              { value: 'current', label: 'Current season' },
              ...(listOf(seasons, 'seasons') ?? [])
                .filter(({ ended_at }) => ended_at !== null)
                .map((each) => ({
                  value: String(each.season),
                  label: `Season ${each.season}, until ${formatDay(each.ended_at!)}`,
                })),
            ]}
          />
        </Group>
        <Entries board_name={board_name} season={season} />
      </Stack>
    </ItemPage>
  );
}

function boundsOf(lowest: number | null, highest: number | null): string {
  if (lowest === null && highest === null) return 'Any';
  if (highest === null) return `${formatScore(lowest!)} and up`;
  if (lowest === null) return `Up to ${formatScore(highest)}`;
  return `${formatScore(lowest)} to ${formatScore(highest)}`;
}
