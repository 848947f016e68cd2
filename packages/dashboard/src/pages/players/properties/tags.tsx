import { Badge, Group } from '@mantine/core';

/** The first tags of a player, and the number of the others. */
export function Tags({ tags, shown = 3 }: { tags: readonly string[]; shown?: number }) {
  const hidden = tags.length - shown;
  return (
    <Group gap={4} wrap="nowrap">
      {tags.slice(0, shown).map((tag) => (
        <Badge key={tag} style={{ maxWidth: 140, minWidth: 48 }} title={tag}>
          {tag}
        </Badge>
      ))}
      {hidden > 0 && (
        <span style={{ fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>+{hidden}</span>
      )}
    </Group>
  );
}
