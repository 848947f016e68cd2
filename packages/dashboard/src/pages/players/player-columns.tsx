import { PlayerCell } from '../../shell/player-name.tsx';
import type { Column } from '../../ui/tables/data-table.tsx';
import { Value } from '../../ui/json/value.tsx';
import { Tags } from './properties/tags.tsx';

interface Player {
  player_id: string;
  name: string | null;
  tags: string[];
  properties: object;
}

/** The first columns of a list of players: name and id, the tags, and the named properties. */
export const playerColumns = (
  properties: readonly string[],
  hrefOf: (player: { player_id: string }) => string,
): Column<Player>[] => [
  {
    id: 'player_id',
    head: 'Player',
    sortable: true,
    cell: (player) => <PlayerCell to={hrefOf(player)} {...player} />,
  },
  { id: 'tags', head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  ...properties.map((name) => ({
    id: `property ${name}`,
    head: <span className="truncate">{name}</span>,
    cell: (player: Player) => (
      <Value value={(player.properties as Record<string, unknown>)[name]} />
    ),
  })),
];
