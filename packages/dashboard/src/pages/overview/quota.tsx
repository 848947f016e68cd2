import { Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Answer } from '../../api/operations.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Meter } from '../../ui/meter.tsx';
import { Card, Loaded } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';

type Usage = Answer<'GET /v1/games/{game_id}/usage'>;

/** This month's events against the quota. */
export function Quota({ usage }: { usage: UseQueryResult<Usage> }) {
  const { environment, path } = useGame();
  return (
    <Card>
      <Loaded query={usage} skeleton={<Skeleton height={76} />}>
        {({ used, limit, remaining, environments, history }) => (
          <>
            <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg" mb="md">
              <Stat
                label={`${ENVIRONMENT_NAMES[environment]} events this month`}
                value={formatCount(environments[environment])}
              />
              <Stat label="All events this month" value={formatCount(used)} />
              <Stat label="Last month" value={formatCount(history[0]?.used ?? 0)} />
              <Stat label="Left this month" value={formatCount(remaining)} />
            </SimpleGrid>
            <Meter label="Quota used" value={used} limit={limit} />
            <Group justify="space-between" mt={6}>
              <Text size="xs" c="dimmed">
                {formatShare(limit > 0 ? used / limit : 1)} of {formatCount(limit)} events
              </Text>
              <Text size="xs" component={Link} to={path('usage')} c="var(--mantine-color-anchor)">
                Usage
              </Text>
            </Group>
          </>
        )}
      </Loaded>
    </Card>
  );
}
