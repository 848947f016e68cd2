import { Button, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { ENVIRONMENT_NAMES, useGame } from '../../shell/game.ts';
import { ContourGlyph } from '../../ui/contours/contour-glyph.tsx';
import { Card } from '../../ui/page.tsx';

/** Shown in an environment that has received no events: the way to the first one. */
export function FirstStep() {
  const { environment, path } = useGame();
  return (
    <Card>
      <Group gap="lg" wrap="wrap">
        <ContourGlyph seed={`first step ${environment}`} size={72} />
        <div style={{ flex: '1 1 240px' }}>
          <Title order={2}>Nothing here yet</Title>
          <Text size="sm" c="dimmed">
            {ENVIRONMENT_NAMES[environment]} has received no events. Connect your game: it takes a
            key and a few lines of code.
          </Text>
        </div>
        <Button component={Link} to={path('start')}>
          Connect your game
        </Button>
      </Group>
    </Card>
  );
}
