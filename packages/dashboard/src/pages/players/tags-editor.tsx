import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import type { Player } from './player-overview.tsx';
import { Tags } from './tags.tsx';
import { normalizeTag, usePlayerEdit } from './use-player-edit.ts';

export function TagsEditor({ player }: { player: Player }) {
  const { can } = useGame();
  const edit = usePlayerEdit(player);
  const [typed, setTyped] = useState('');
  if (!can('developer')) {
    return player.tags.length > 0 ? <Tags tags={player.tags} shown={100} /> : 'None.';
  }
  const setTags = (tags: string[]) => {
    const removed = player.tags.filter((tag) => !tags.includes(tag));
    const added = tags.filter((tag) => !player.tags.includes(tag)).map(normalizeTag);
    edit({ add_tags: added, remove_tags: removed }).then(
      () => {
        if (removed.length === 0) return;
        notify.undoable(`Removed ${removed.join(', ')}`, () => edit({ add_tags: removed }));
      },
      (error) => {
        notify.failed(error);
        setTyped((now) => now || added.join(', '));
      },
    );
  };
  return (
    <TagsInput
      aria-label="Tags"
      placeholder={player.tags.length > 0 ? undefined : 'Type a tag, then Enter'}
      value={player.tags}
      onChange={setTags}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}
