import { Badge } from '@mantine/core';
import { STATE_WORDS } from './experiment-words.ts';
import type { Experiment } from './experiment-words.ts';

export function StateBadge({ state }: Pick<Experiment, 'state'>) {
  const { name, color } = STATE_WORDS[state];
  return <Badge color={color}>{name}</Badge>;
}
