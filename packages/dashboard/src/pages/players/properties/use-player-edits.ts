import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import type { Input } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { usePending } from '../../../ui/use-pending.ts';
import type { Player } from '../player.ts';

const EDIT = 'PATCH /v1/games/{game_id}/players/{player_id}';
type PlayerEdit = Input<typeof EDIT>['body'];
/** Sends an edit of a player. The promise rejects if the server refuses the edit. */
export type EditPlayer = (edit: PlayerEdit) => Promise<unknown>;

/** Returns the player as they are after the edit. */
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

/**
 * Sends the edits of a player one after the other. The returned player includes edits that the server has not
 * answered yet. These edits are kept in a state of their own. The query library would report an edit too
 * late: the next key press may come before the report.
 */
export function usePlayerEdits(stored: Player): { player: Player; edit: EditPlayer } {
  const { game_id, environment, inEnvironment } = useGame();
  const { player_id } = stored;
  const [pending, keep] = usePending<PlayerEdit>();
  const { mutateAsync } = useMutation({
    scope: { id: JSON.stringify([EDIT, game_id, environment, player_id]) },
    mutationFn: (body: PlayerEdit) => call(EDIT, { ...inEnvironment({ player_id }), body }),
  });
  return {
    player: pending.reduce(applyEdit, stored),
    edit: (edit) => keep(edit, () => mutateAsync(edit)),
  };
}
