import { PlayerCell } from '../../shell/player-name.tsx';
import type { Column } from '../../ui/tables/columns.tsx';
import { Value } from '../../ui/json/value.tsx';
import { Tags } from './properties/tags.tsx';
import { showName } from '../../ui/shown-name.ts';

interface Player {
  player_id: string;
  name: string | null;
  tags: string[];
  properties: object;
}

const valueOf = (player: Player, name: string) =>
  (player.properties as Record<string, unknown>)[name];

/** Makes a column with the values of one property. Numbers are aligned by their digits. */
function propertyColumn(name: string, players: readonly Player[]): Column<Player> {
  const values = players.map((player) => valueOf(player, name) ?? null);
  const isNumbers = values.every((value) => value === null || typeof value === 'number');
  return {
    id: `property ${name}`,
    head: <span className="truncate">{showName(name)}</span>,
    align: isNumbers && values.some((value) => value !== null) ? 'end' : undefined,
    value(player) {
      const value = valueOf(player, name) ?? null;
      if (value === null || typeof value === 'number') return value;
      return typeof value === 'string' ? value : JSON.stringify(value);
    },
    cell: (player) => <Value value={valueOf(player, name)} />,
  };
}

/**
 * Makes the first columns of a list of players: name and id, the tags, and the properties in `properties`.
 */
export const playerColumns = (
  properties: readonly string[],
  hrefOf: (player: { player_id: string }) => string,
  players: readonly Player[] = [],
): Column<Player>[] => [
  {
    id: 'player_id',
    head: 'Player',
    sortable: true,
    value: ({ name, player_id }) => name ?? player_id,
    cell: (player) => <PlayerCell to={hrefOf(player)} {...player} />,
  },
  { id: 'tags', head: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  ...properties.map((name) => propertyColumn(name, players)),
];
