import { useQuery } from '@tanstack/react-query';
import type { Environment } from '@overworld/contract/common';
import { MAX_NAMED_PLAYERS } from '@overworld/contract/players/name-limits';
import { call } from '../api/client.ts';
import { Note } from '../ui/text.tsx';
import { RowLink, TextLink } from '../ui/links.tsx';
import { useGame } from './game.ts';
import { showName } from '../ui/shown-name.ts';

interface Tenant {
  game_id: string;
  environment: Environment;
}

type Names = Map<string, string>;

/** The next call of the API. It will ask for the names of all these players, who are in one environment. */
let waiting: { tenant: Tenant; player_ids: string[]; names: Promise<Names> } | null = null;

/** Gets the name of a player. One call gets all names that a render needs. */
async function readName(tenant: Tenant, player_id: string): Promise<string | null> {
  const isOther =
    waiting?.tenant.game_id !== tenant.game_id ||
    waiting.tenant.environment !== tenant.environment ||
    waiting.player_ids.length === MAX_NAMED_PLAYERS;
  if (waiting === null || isOther) {
    const player_ids: string[] = [];
    waiting = { tenant, player_ids, names: readNamesSoon(tenant, player_ids) };
  }
  waiting.player_ids.push(player_id);
  return (await waiting.names).get(player_id) ?? null;
}

async function readNamesSoon({ game_id, environment }: Tenant, player_ids: string[]) {
  await new Promise((resolve) => setTimeout(resolve));
  if (waiting?.player_ids === player_ids) waiting = null;
  const { players } = await call('POST /v1/games/{game_id}/player-names', {
    params: { game_id },
    query: { environment },
    body: { player_ids },
  });
  return new Map(players.map(({ player_id, name }) => [player_id, name]));
}

/** Returns the name of a player, or null while the name is unknown or if the player has none. */
export function usePlayerName(player_id: string): string | null {
  const { game, game_id, environment } = useGame();
  const tenant = { game_id, environment };
  const { data } = useQuery({
    queryKey: ['player name', tenant, player_id],
    queryFn: () => readName(tenant, player_id),
    enabled: game.player_name_property !== null,
    staleTime: 60_000,
    retry: false,
  });
  return data ?? null;
}

/** Shows the name of a player, or the id if the name is unknown. */
export function PlayerName({ player_id }: { player_id: string }) {
  const name = usePlayerName(player_id);
  return name === null ? showName(player_id) : <span title={player_id}>{showName(name)}</span>;
}

/** Links to a player, in a line of a list that is about something else. */
export function PlayerLink({ player_id }: { player_id: string }) {
  const { path } = useGame();
  return (
    <TextLink to={path('players', player_id)} className="truncate" dir="auto">
      <PlayerName player_id={player_id} />
    </TextLink>
  );
}

/** A player as the subject of a row: the name, and the id below it. */
export function PlayerCell(props: { to: string; player_id: string; name: string | null }) {
  const { to, player_id, name } = props;
  return (
    <div style={{ minWidth: 0 }}>
      <RowLink to={to}>{name ?? player_id}</RowLink>
      {name !== null && name !== player_id && (
        <Note className="truncate" dir="auto">
          {showName(player_id)}
        </Note>
      )}
    </div>
  );
}
