import { useMutation, useMutationState } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Input } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import type { Player } from './player-overview.tsx';

const EDIT = 'PATCH /v1/games/{game_id}/players/{player_id}';
export type PlayerEdit = Input<typeof EDIT>['body'];

const useEditKey = (player_id: string) => {
  const { game_id, environment } = useGame();
  return [EDIT, game_id, environment, player_id];
};

/** A tag as the server keeps it. */
export const normalizeTag = (typed: string) => typed.trim().toLowerCase();

/** The player as it will be when the server has taken the edit. */
function applyEdit(player: Player, edit: PlayerEdit): Player {
  const { properties, remove_properties = [], add_tags = [], remove_tags = [] } = edit;
  const kept = Object.entries(player.properties).filter(
    ([name]) => !remove_properties.includes(name),
  );
  const tags = player.tags.filter((tag) => !remove_tags.includes(tag));
  return {
    ...player,
    properties: Object.fromEntries([...kept, ...Object.entries(properties ?? {})]),
    tags: [...new Set([...tags, ...add_tags])],
  };
}

/** The player with the edits that are on their way to the server: they show at once. */
export function usePlayerWithEdits(player: Player): Player {
  const edits = useMutationState({
    filters: { mutationKey: useEditKey(player.player_id), status: 'pending' },
    select: ({ state }) => state.variables as PlayerEdit,
  });
  return edits.reduce(applyEdit, player);
}

/**
 * Edits a player, one edit after the other. Rejects when one is refused, which then shows no longer.
 */
export function usePlayerEdit({ player_id }: Player): (edit: PlayerEdit) => Promise<unknown> {
  const { game_id, environment } = useGame();
  const mutationKey = useEditKey(player_id);
  const { mutateAsync } = useMutation({
    mutationKey,
    scope: { id: JSON.stringify(mutationKey) },
    mutationFn: (body: PlayerEdit) =>
      call(EDIT, { params: { game_id, player_id }, query: { environment }, body }),
  });
  return mutateAsync;
}
