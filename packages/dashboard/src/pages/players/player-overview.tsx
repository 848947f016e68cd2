import { Stack } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { Ago } from '../../ui/ago.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { PropertiesEditor } from './properties/properties-editor.tsx';
import { TagsEditor } from './properties/tags-editor.tsx';
import { usePlayerEdits } from './properties/use-player-edits.ts';

export type Player = Answer<'GET /v1/games/{game_id}/players/{player_id}'>;

export function PlayerOverview({ player: stored }: { player: Player }) {
  const { player, edit } = usePlayerEdits(stored);
  return (
    <Stack gap="md">
      <Card title="Tags">
        <TagsEditor tags={player.tags} edit={edit} />
      </Card>
      <PropertiesEditor properties={player.properties} edit={edit} />
      <Card flush title="Sessions">
        <DataTable
          label="Sessions"
          rows={player.session_history}
          rowKey={({ session_id }) => session_id}
          columns={[
            {
              id: 'session',
              head: 'Session',
              cell: ({ session_id }) => <code className="truncate">{session_id}</code>,
            },
            {
              id: 'started',
              head: 'Started',
              value: ({ started_at }) => Date.parse(started_at),
              cell: ({ started_at }) => <Ago at={started_at} />,
            },
            {
              id: 'length',
              head: 'Length',
              value: secondsOf,
              cell: (session) => formatLength(secondsOf(session)),
            },
            {
              id: 'events',
              head: 'Events',
              align: 'end',
              value: ({ event_count }) => event_count,
              cell: ({ event_count }) => formatCount(event_count),
            },
          ]}
          empty={
            <EmptyState title="No sessions yet">
              Sessions come from the events that name this player.
            </EmptyState>
          }
        />
      </Card>
    </Stack>
  );
}

const secondsOf = ({ started_at, last_event_at }: Player['session_history'][number]) =>
  Math.max(0, Math.round((Date.parse(last_event_at) - Date.parse(started_at)) / 1000));

function formatLength(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
