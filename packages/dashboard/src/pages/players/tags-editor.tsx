import { TagsInput } from '@mantine/core';
import { useGame } from '../../shell/game.ts';
import type { Player } from './player-overview.tsx';
import { Tags } from './tags.tsx';
import { usePlayerEdit } from './use-player-edit.ts';

export function TagsEditor({ player }: { player: Player }) {
  const { can } = useGame();
  const edit = usePlayerEdit(player);
  if (!can('developer')) {
    return player.tags.length > 0 ? <Tags tags={player.tags} shown={100} /> : 'None.';
  }
  return (
    <TagsInput
      aria-label="Tags"
      placeholder="Type a tag, then Enter"
      value={player.tags}
      onChange={(tags) => edit.mutate({ tags: tags.map((tag) => tag.trim().toLowerCase()) })}
    />
  );
}
