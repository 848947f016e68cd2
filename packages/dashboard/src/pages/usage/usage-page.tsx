import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { EnvironmentTag } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Meter } from '../../ui/charts/meter.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stored } from './stored.tsx';

const TIER_NAMES = { free: 'Free', indie: 'Indie', studio: 'Studio' };

export function Component() {
  const { game, game_id } = useGame();
  const usage = useRead('GET /v1/games/{game_id}/usage', { params: { game_id } });

  return (
    <Page
      title="Usage"
      lead={`${TIER_NAMES[game.tier]} tier: ${formatCount(game.event_quota)} events per calendar month (UTC), counted over both environments. An administrator of this installation sets the tier, and with it what the game may store.`}
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
                {formatShare(limit > 0 ? used / limit : 1)} of {formatCount(limit)} events
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
            <Card flush title="This month by API key">
              <DataTable
                label="Events by API key"
                rows={keys}
                rowKey={({ key_id }) => key_id}
                columns={[
                  {
                    id: 'name',
                    head: 'Key',
                    value: ({ name }) => name,
                    cell: ({ name }) => <span className="name">{name ?? 'a deleted key'}</span>,
                  },
                  {
                    id: 'environment',
                    head: 'Environment',
                    value: (key) => key.environment,
                    cell: (key) => <EnvironmentTag environment={key.environment} />,
                  },
                  {
                    id: 'events',
                    head: 'Events',
                    align: 'end',
                    value: ({ event_count }) => event_count,
                    cell: ({ event_count }) => formatCount(event_count),
                  },
                ]}
                empty={
                  <EmptyState title="No events this month">
                    The events that each key sends are counted here.
                  </EmptyState>
                }
              />
            </Card>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
