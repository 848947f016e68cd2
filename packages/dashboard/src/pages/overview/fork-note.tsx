import { Group, Text } from '@mantine/core';
import { useRequired } from '../../api/hooks.ts';
import { gamePath, useGame } from '../../shell/game.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Card } from '../../ui/page.tsx';
import { Dimmed } from '../../ui/text.tsx';

/** Says of which game this one is a fork, and how its clock is set on; nothing for other games. */
export function ForkNote() {
  const { game, environment } = useGame();
  const { games } = useRequired('GET /v1/games', {});
  const { forked_from, advanced_days } = game;
  if (forked_from === null) return null;
  const origin = games.find(({ id }) => id === forked_from);
  const command = `npx overworld advance ${game.id} --days=1`;
  return (
    <Card>
      <Text size="sm">
        This game is a fork of{' '}
        {origin === undefined ? (
          'a game that you do not see'
        ) : (
          <TextLink to={gamePath(origin.id, environment)}>{origin.name}</TextLink>
        )}
        , to try things in. It is at day {advanced_days}.
      </Text>
      <Group gap={4} mt={4}>
        <Dimmed>Whoever runs the server sets its clock on by a day:</Dimmed>
        <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
          <code style={{ overflowWrap: 'anywhere' }}>{command}</code>
          <CopyButton text={command} label="Copy command" />
        </Group>
      </Group>
    </Card>
  );
}
