import { Badge, Group } from '@mantine/core';
import classes from './tags.module.css';

/** The first tags of a player, and the number of the others. */
export function Tags({ tags, shown = 3 }: { tags: readonly string[]; shown?: number }) {
  const hidden = tags.length - shown;
  return (
    <Group gap={4} wrap="nowrap">
      {tags.slice(0, shown).map((tag) => (
        <Badge key={tag} className={classes.tag} title={tag}>
          {tag}
        </Badge>
      ))}
      {hidden > 0 && <span className={classes.more}>+{hidden}</span>}
    </Group>
  );
}
