import { Stack, TagsInput } from '@mantine/core';
import { normalizeTag } from '@overworld/contract/players/tags';
import { useState } from 'react';
import { agoColumn, column, memberColumn, numberColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { formatDuration } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { MergedPlayers } from './merging/merged-players.tsx';
import { PropertiesEditor } from './properties/properties-editor.tsx';
import { usePlayerEdits } from './properties/use-player-edits.ts';
import type { EditPlayer } from './properties/use-player-edits.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import { Tags } from './properties/tags.tsx';
import { showName } from '../../ui/shown-name.ts';
import type { Player } from './player.ts';

type Session = Player['session_history'][number];

export function PlayerOverview({ player: stored }: { player: Player }) {
  const { player, edit } = usePlayerEdits(stored);
  return (
    <Stack gap="md">
      <Card title="Tags">
        <TagsEditor tags={player.tags} edit={edit} />
      </Card>
      <PropertiesEditor properties={player.properties} edit={edit} />
      <TableCard
        title="Sessions"
        label="Sessions"
        rows={player.session_history}
        rowKey={({ session_id }) => session_id}
        columns={[
          column<Session>('session', 'Session', ({ session_id }) => (
            <code className="truncate">{showName(session_id)}</code>
          )),
          agoColumn('started_at', 'Started'),
          numberColumn('length', 'Length', secondsOf, formatDuration),
          memberColumn('event_count', 'Events'),
        ]}
        emptyTitle="No sessions yet"
        emptyWords="Sessions come from the events that name this player."
      />
      <MergedPlayers player_id={player.player_id} />
    </Stack>
  );
}

const secondsOf = ({ started_at, last_event_at }: Session) =>
  Math.max(0, Math.round((Date.parse(last_event_at) - Date.parse(started_at)) / 1000));

function TagsEditor({ tags: shown, edit }: { tags: string[]; edit: EditPlayer }) {
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
