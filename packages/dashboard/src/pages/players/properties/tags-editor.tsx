import { TagsInput } from '@mantine/core';
import { normalizeTag } from '@overworld/contract/players/tags';
import { useState } from 'react';
import { useGame } from '../../../shell/game.ts';
import { notify } from '../../../ui/notify.tsx';
import { Tags } from './tags.tsx';
import type { EditPlayer } from './use-player-edits.ts';

export function TagsEditor({ tags: shown, edit }: { tags: string[]; edit: EditPlayer }) {
  const { can } = useGame();
  const [typed, setTyped] = useState('');
  if (!can('developer')) {
    return shown.length > 0 ? <Tags tags={shown} shown={100} /> : 'None.';
  }
  const setTags = (tags: string[]) => {
    const removed = shown.filter((tag) => !tags.includes(tag));
    const added = tags.filter((tag) => !shown.includes(tag)).map(normalizeTag);
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
      placeholder={shown.length > 0 ? undefined : 'Type a tag, then Enter'}
      value={shown}
      onChange={setTags}
      searchValue={typed}
      onSearchChange={setTyped}
    />
  );
}
