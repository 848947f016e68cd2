import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Input } from '../../api/operations.ts';
import { readQuery } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import type { Player } from './player-overview.tsx';

const EDIT = 'PATCH /v1/games/{game_id}/players/{player_id}';
export type PlayerEdit = Input<typeof EDIT>['body'];

/** The player as it will be when the server has taken the edit. */
function applyEdit(
  player: Player,
  { properties, remove_properties = [], tags }: PlayerEdit,
): Player {
  const kept = Object.entries(player.properties).filter(
    ([name]) => !remove_properties.includes(name),
  );
  return {
    ...player,
    properties: Object.fromEntries([...kept, ...Object.entries(properties ?? {})]),
    tags: tags ?? player.tags,
  };
}

/**
 * Edits a player: shown at once, taken back with a message when it is refused. Edits are sent one
 * after the other, so that the last one made is the one that stays.
 */
export function usePlayerEdit(player: Player) {
  const { player_id } = player;
  const { game_id, environment } = useGame();
  const client = useQueryClient();
  const input = { params: { game_id, player_id }, query: { environment } };
  const { queryKey } = readQuery('GET /v1/games/{game_id}/players/{player_id}', input);
  /** With the edits that are on their way, which may not be shown yet. */
  const readNewest = () => client.getQueryData<Player>(queryKey) ?? player;
  const mutation = useMutation({
    scope: { id: `player ${player_id}` },
    mutationFn: (body: PlayerEdit) => call(EDIT, { ...input, body }),
    onMutate(edit) {
      // Not waited for, and not set back: the next edit may come before that has happened.
      void client.cancelQueries({ queryKey }, { revert: false });
      const before = client.getQueryData<Player>(queryKey);
      if (before) client.setQueryData<Player>(queryKey, applyEdit(before, edit));
      return { before };
    },
    onError(error, _edit, context) {
      client.setQueryData(queryKey, context?.before);
      notify.failed(error);
    },
  });
  return { ...mutation, readNewest };
}
