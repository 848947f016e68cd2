import { groupWords } from './group-words.ts';
import type { PlayerGroup } from './players/player-selection.ts';

/**
 * The name of a group. The groups `other` and `none` look different from every value.
 * @param unset Words for the group `none`.
 */
export function GroupName({ group, unset }: { group: PlayerGroup; unset?: string }) {
  const isValue = group.kind === 'value';
  const words = group.kind === 'none' && unset !== undefined ? unset : groupWords(group);
  return (
    <span
      className="truncate"
      title={words}
      style={isValue ? undefined : { color: 'var(--mantine-color-dimmed)', fontStyle: 'italic' }}
    >
      {words}
    </span>
  );
}
