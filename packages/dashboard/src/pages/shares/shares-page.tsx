import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { Note } from '../../ui/text.tsx';
import { formatCount } from '../../ui/format.ts';
import { Moment } from '../../ui/time/moment.tsx';
import { Card, Cards, Loaded, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { SharesForm } from './shares-form.tsx';
import type { EnvironmentShares } from './shares-form.tsx';

/**
 * The page about rate limits of single players and networks, which the API calls shares. They keep one
 * caller from using up the requests of all copies of the game.
 */
export function Component() {
  const { environment, inEnvironment, path } = useGame();
  const shares = useRead('GET /v1/games/{game_id}/shares', inEnvironment());
  return (
    <Page
      title="Rate limits"
      lead={`Limits for each player and network in ${environment}. A player or network that sends too much is refused alone, and the others notice nothing.`}
    >
      <Loaded query={shares}>
        {(current) => (
          <Cards>
            <Card title={ENVIRONMENT_NAMES[environment]}>
              <Text size="sm" mb="md">
                All copies of the game send with the same key, and each{' '}
                <Anchor component={Link} to={path('api-keys')} fz="sm" underline="always">
                  API key
                </Anchor>{' '}
                may send {formatCount(current.key_requests_per_minute)} requests a minute. Without
                the limits below, one player can use them all up. Server keys have no limits a
                minute here. If the game needs more requests, ask an administrator of this
                installation.
              </Text>
              <SharesForm key={environment} current={current} />
            </Card>
            <TrafficCard traffic={current.traffic} />
          </Cards>
        )}
      </Loaded>
    </Page>
  );
}

function TrafficCard({ traffic }: { traffic: EnvironmentShares['traffic'] }) {
  const { counted_since, event_count, player_count } = traffic;
  const { busy_minute_events, busy_minute_requests } = traffic;
  return (
    <Card title="What players send">
      {counted_since === null ? (
        <Text size="sm">
          No player has sent events in the last 7 days. The suggestions are numbers that suit most
          games, until there are events to count.
        </Text>
      ) : (
        <>
          <SimpleGrid cols={2} spacing="lg" mb="md">
            <Stat label="Events counted" value={formatCount(event_count)} />
            <Stat label="Players counted" value={formatCount(player_count)} />
            <Stat label="Events, busy minute" value={formatCount(busy_minute_events!)} />
            <Stat label="Requests, busy minute" value={formatCount(busy_minute_requests!)} />
          </SimpleGrid>
          <Text size="sm">
            A busy minute is one in a hundred: in the other 99 minutes with events, a player sent no
            more than this. The suggestions are ten times a busy minute, or more for a quiet game.
          </Text>
          <Note mt={6}>
            The numbers come from the newest events of the last 7 days that name a player, at most
            100,000: here those since <Moment at={counted_since} to="minute" />. Requests with
            events are counted by player. Other requests are not: their mean of the last 24 hours is
            added, which says little while few players play.
          </Note>
        </>
      )}
    </Card>
  );
}
