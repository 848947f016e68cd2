import { Badge, Group, SimpleGrid, Text } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { AT_LIMIT, formatLimit, LIMIT_NAMES, SHOWN_LIMITS } from '../../shell/limit-words.ts';
import { formatShare } from '../../ui/format.ts';
import { Meter, shareOf } from '../../ui/charts/meter.tsx';
import { Card } from '../../ui/page.tsx';

const NEAR = 0.8;

/** How much of each storage limit the game uses. */
export function Stored({ limits }: { limits: Answer<'GET /v1/games/{game_id}/usage'>['limits'] }) {
  return (
    <Card title="Stored">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="md">
        {SHOWN_LIMITS.map((resource) => {
          const { used, limit } = limits[resource];
          const share = shareOf(used, limit);
          return (
            <div key={resource}>
              <Group justify="space-between" mb={6} gap="xs">
                <Text size="sm" fw={500}>
                  {LIMIT_NAMES[resource]}
                </Text>
                <Text size="sm" c="dimmed">
                  {formatLimit(resource, used)} of {formatLimit(resource, limit)}
                </Text>
              </Group>
              <Meter label={`${LIMIT_NAMES[resource]} used`} value={used} limit={limit} />
              {share >= NEAR && (
                <Group gap="xs" mt={6} wrap="nowrap" align="flex-start">
                  <Badge color={share >= 1 ? 'clay' : 'ochre'} style={{ flexShrink: 0 }}>
                    {share >= 1 ? 'Limit reached' : `${formatShare(share)} used`}
                  </Badge>
                  <Text size="xs" c="dimmed">
                    {share >= 1 ? AT_LIMIT[resource] : `At the limit: ${lower(AT_LIMIT[resource])}`}
                  </Text>
                </Group>
              )}
            </div>
          );
        })}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt="md">
        Players, saves and entries count over both environments. Stored data stays readable at a
        limit. An administrator of this installation can set other limits.
      </Text>
    </Card>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
