import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Ago } from '../../../ui/time/moment.tsx';
import { Note } from '../../../ui/text.tsx';
import { formatCount } from '../../../ui/format.ts';
import { showName } from '../../../ui/shown-name.ts';

type Merge = Answer<'POST /v1/games/{game_id}/players/{player_id}/merge'>;

/** A sentence has at most this many names; further names are only counted. */
const SHOWN = 5;

/** Both players side by side, and the changes of a merge in words. */
export function MergePreview({ player_id, merge }: { player_id: string; merge: Merge }) {
  const lines = listChanges(merge);
  return (
    <Stack gap="sm" role="group" aria-label="Preview of the merge">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Side title="Stays" player_id={player_id} />
        <Side title="Ends" player_id={merge.from_player_id} />
      </SimpleGrid>
      <Stack gap={2} component="ul" pl="md" style={{ listStyle: 'disc' }}>
        {lines.map((line, index) => (
          <Text key={index} size="sm" component="li" className="name">
            {line}
          </Text>
        ))}
      </Stack>
    </Stack>
  );
}

function Side({ title, player_id }: { title: string; player_id: string }) {
  const { inEnvironment } = useGame();
  const player = useRead(
    'GET /v1/games/{game_id}/players/{player_id}',
    inEnvironment({ player_id }),
  );
  const name = player.data?.name ?? null;
  return (
    <div>
      <Note>{showName(title)}</Note>
      <Text size="sm" fw={600} className="name">
        {showName(name ?? player_id)}
      </Text>
      {name !== null && name !== player_id && <Note className="name">{showName(player_id)}</Note>}
      {player.data && (
        <Text size="xs" c="dimmed" component="div">
          First seen <Ago at={player.data.first_seen_at} />, last seen{' '}
          <Ago at={player.data.last_seen_at} />
        </Text>
      )}
    </div>
  );
}

const keptOf = { target: 'this player’s', source: 'the other player’s', both: 'the sum of both' };

function listChanges({ changes, event_count }: Merge): ReactNode[] {
  const { saves, scores, bans, achievements, tags, properties, logins, sessions } = changes;
  const lines = [
    list('Saves', saves, ({ slot, kept }) => `${slot} keeps ${keptOf[kept]}`),
    list(
      'Scores',
      scores,
      ({ board_name, season, score, kept }) =>
        `${board_name}, season ${season}, keeps ${keptOf[kept]} (${formatCount(score)})`,
    ),
    list('Bans that hold from then on', bans, (board) => board ?? 'all boards'),
    list('Achievements gained', achievements),
    list('Tags gained', tags),
    list('Properties gained', properties),
    list('Logins that move', logins),
    sessions > 0 && `Sessions that move: ${formatCount(sessions)}`,
    event_count > 0 && `Events that move in the background: ${formatCount(event_count)}`,
  ].filter(Boolean);
  return lines.length > 0 ? lines : ['The other player has nothing but its id.'];
}

function list<Item>(
  name: string,
  items: readonly Item[],
  wordsOf: (item: Item) => string = String,
): string | false {
  if (items.length === 0) return false;
  const more = items.length - SHOWN;
  const shown = items.slice(0, SHOWN).map(wordsOf).join('; ');
  return `${name}: ${shown}${more > 0 ? `; and ${formatCount(more)} more` : ''}`;
}
