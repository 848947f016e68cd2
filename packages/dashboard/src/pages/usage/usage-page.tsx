import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { environmentColumn } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { countColumn, nameColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Meter, shareOf } from '../../ui/charts/meter.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stored } from './stored.tsx';

const TIER_NAMES = { free: 'Free', indie: 'Indie', studio: 'Studio' };

const KEY_COLUMNS: Column<Answer<'GET /v1/games/{game_id}/usage'>['keys'][number]>[] = [
  nameColumn('name', 'Key', ({ name }) => name ?? 'a deleted key'),
  environmentColumn(),
  countColumn('events', 'Events', ({ event_count }) => event_count),
];

export function Component() {
  const { game, game_id } = useGame();
  const usage = useRead('GET /v1/games/{game_id}/usage', { params: { game_id } });

  return (
    <Page
      title="Usage"
      lead={`${TIER_NAMES[game.tier]} tier: ${formatCount(game.event_quota)} events per calendar month (UTC), counted over both environments. An administrator of this installation sets the tier, which also sets the storage limits of the game.`}
    >
      <Loaded query={usage}>
        {({ month, used, limit, remaining, environments, keys, history, limits }) => (
          <Stack gap="md">
            <Card title={`This month, ${month}`}>
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg" mb="md">
                <Stat label="Events" value={formatCount(used)} />
                <Stat label="Left" value={formatCount(remaining)} />
                <Stat label="Production" value={formatCount(environments.production)} />
                <Stat label="Development" value={formatCount(environments.development)} />
              </SimpleGrid>
              <Meter label="Quota used" value={used} limit={limit} />
              <Text size="xs" c="dimmed" mt={6}>
                {formatShare(shareOf(used, limit))} of {formatCount(limit)} events
              </Text>
            </Card>
            <Stored limits={limits} />
            <Card title="Events per month">
              <Bars
                label="Events per month, the last thirteen"
                bars={[...history.toReversed(), { month, used }].map((each) => ({
                  name: each.month,
                  value: each.used,
                }))}
              />
            </Card>
            <TableCard
              title="This month by API key"
              label="Events by API key"
              rows={keys}
              rowKey={({ key_id }) => key_id}
              columns={KEY_COLUMNS}
              empty={
                <EmptyState title="No events this month">
                  The events that each key sends are counted here.
                </EmptyState>
              }
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
