import { Badge, Group } from '@mantine/core';
import { showName } from '../../ui/shown-name.ts';
import { Note, RowName } from '../../ui/text.tsx';
import type { Stat } from './stat-words.ts';

/** The name and the key of a statistic in a row of a table. */
export function StatName({ stat }: { stat: Pick<Stat, 'name' | 'key' | 'archived'> }) {
  return (
    <>
      <Group gap={8}>
        <RowName>{stat.name}</RowName>
        {stat.archived && <Badge color="gray">archived</Badge>}
      </Group>
      <Note className="name">
        <code>{showName(stat.key)}</code>
      </Note>
    </>
  );
}
