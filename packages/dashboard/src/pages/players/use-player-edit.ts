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

/** Edits a player: shown at once, taken back with a message when it is refused. */
export function usePlayerEdit({ player_id }: Player) {
  const { game_id, environment } = useGame();
  const client = useQueryClient();
  const input = { params: { game_id, player_id }, query: { environment } };
  const { queryKey } = readQuery('GET /v1/games/{game_id}/players/{player_id}', input);
  return useMutation({
    mutationFn: (body: PlayerEdit) => call(EDIT, { ...input, body }),
    async onMutate(edit) {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Player>(queryKey);
      if (before) client.setQueryData<Player>(queryKey, applyEdit(before, edit));
      return { before };
    },
    onError(error, _edit, context) {
      client.setQueryData(queryKey, context?.before);
      notify.failed(error);
    },
  });
}
