import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { formatCount, formatShare } from '../../ui/format.ts';
import { Meter, shareOf } from '../../ui/charts/meter.tsx';
import { Card, Loaded } from '../../ui/page.tsx';

/** The events of both environments this month, against the quota. */
export function Quota({
  usage,
}: {
  usage: UseQueryResult<Answer<'GET /v1/games/{game_id}/usage'>>;
}) {
  const { path } = useGame();
  return (
    <Card>
      <Loaded query={usage} skeleton={<Skeleton height={34} />}>
        {({ used, limit }) => (
          <>
            <Group justify="space-between" mb={6} gap={4}>
              <Text size="sm">
                <b>{formatCount(used)}</b> of {formatCount(limit)} events this month,{' '}
                {formatShare(shareOf(used, limit))}
              </Text>
              <Anchor component={Link} to={path('usage')} size="sm">
                Usage
              </Anchor>
            </Group>
            <Meter label="Quota used" value={used} limit={limit} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
