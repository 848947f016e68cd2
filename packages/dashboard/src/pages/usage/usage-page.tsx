import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { environmentColumn } from '../../shell/environment-tag.tsx';
import { useGame } from '../../shell/game.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { Dimmed, Note } from '../../ui/text.tsx';
import { memberColumn, nameColumn } from '../../ui/tables/columns.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { formatCount, formatMonth, formatShare } from '../../ui/format.ts';
import { Meter, shareOf } from '../../ui/charts/meter.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { SdkVersions } from './sdk-versions.tsx';
import { AT_LIMIT, formatLimit, LIMIT_NAMES, SHOWN_LIMITS } from '../../shell/limit-words.ts';

const TIER_NAMES = { free: 'Free', indie: 'Indie', studio: 'Studio' };

const KEY_COLUMNS: Column<Answer<'GET /v1/games/{game_id}/usage'>['keys'][number]>[] = [
  nameColumn('name', 'Key', ({ name }) => name ?? 'a deleted key'),
  environmentColumn(),
  memberColumn('event_count', 'Events'),
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
            <Card title={`This month, ${formatMonth(month)}`}>
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg" mb="md">
                <Stat label="Events" value={formatCount(used)} />
                <Stat label="Left" value={formatCount(remaining)} />
                <Stat label="Production" value={formatCount(environments.production)} />
                <Stat label="Development" value={formatCount(environments.development)} />
              </SimpleGrid>
              <Meter label="Quota used" value={used} limit={limit} />
              <Note mt={6}>
                {formatShare(shareOf(used, limit))} of {formatCount(limit)} events
              </Note>
            </Card>
            <Stored limits={limits} />
            <Card title="Events per month">
              <Bars
                label="Events per month, the last thirteen"
                bars={[...history.toReversed(), { month, used }].map((each) => ({
                  name: formatMonth(each.month),
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
              emptyTitle="No events this month"
              emptyWords="The events that each key sends are counted here."
            />
            <SdkVersions />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

const NEAR = 0.8;

/** Shows the part of each storage limit that the game uses. */
function Stored({ limits }: { limits: Answer<'GET /v1/games/{game_id}/usage'>['limits'] }) {
  return (
    <Card title="Stored">
      <SimpleGrid type="container" cols={{ base: 1, '560px': 2 }} spacing="xl" verticalSpacing="md">
        {SHOWN_LIMITS.map((resource) => {
          const { used, limit } = limits[resource];
          const share = shareOf(used, limit);
          return (
            <div key={resource}>
              <Group justify="space-between" mb={6} gap="xs">
                <Text size="sm" fw={500}>
                  {LIMIT_NAMES[resource]}
                </Text>
                <Dimmed>
                  {formatLimit(resource, used)} of {formatLimit(resource, limit)}
                </Dimmed>
              </Group>
              <Meter label={`${LIMIT_NAMES[resource]} used`} value={used} limit={limit} />
              {share >= NEAR && (
                <Group gap="xs" mt={6} wrap="nowrap" align="flex-start">
                  <Badge color={share >= 1 ? 'clay' : 'ochre'} style={{ flexShrink: 0 }}>
                    {share >= 1 ? 'Limit reached' : `${formatShare(share)} used`}
                  </Badge>
                  <Note>
                    {share >= 1 ? AT_LIMIT[resource] : `At the limit: ${lower(AT_LIMIT[resource])}`}
                  </Note>
                </Group>
              )}
            </div>
          );
        })}
      </SimpleGrid>
      <Note mt="md">
        Players, saves, entries and ledgers count over both environments. Stored data stays readable
        at a limit. An administrator of this installation can set other limits.
      </Note>
    </Card>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
