import { SimpleGrid, Stack } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { Page } from '../../ui/page.tsx';
import { BrokenBuild } from './broken-build.tsx';
import { FirstStep } from './first-step.tsx';
import { LatestEvents } from './latest-events.tsx';
import { LatestPlayers } from './latest-players.tsx';
import { Quota } from './quota.tsx';
import { Today } from './today.tsx';

/** How often the newest events and players are read again. */
const LIVE_EVERY_MS = 3_000;

export function Component() {
  const { game, game_id, environment } = useGame();
  const params = { game_id };
  const usage = useRead('GET /v1/games/{game_id}/usage', { params }, { every: 30_000 });
  const events = useRead(
    'GET /v1/games/{game_id}/events',
    { params, query: { environment, limit: 15 } },
    { every: LIVE_EVERY_MS },
  );
  const players = useRead(
    'GET /v1/games/{game_id}/players',
    { params, query: { environment, limit: 8 } },
    { every: LIVE_EVERY_MS },
  );

  return (
    <Page
      title={game.name}
      lead={`${ENVIRONMENT_NAMES[environment]} today, and what just happened.`}
    >
      <Stack gap="md">
        {events.data?.events.length === 0 && <FirstStep />}
        <BrokenBuild />
        <Today />
        <Quota usage={usage} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <LatestEvents query={events} />
          <LatestPlayers query={players} />
        </SimpleGrid>
      </Stack>
    </Page>
  );
}
