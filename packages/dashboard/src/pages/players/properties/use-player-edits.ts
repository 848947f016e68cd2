import { notifyManager, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import type { Input } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import type { Player } from '../player-overview.tsx';

const EDIT = 'PATCH /v1/games/{game_id}/players/{player_id}';
type PlayerEdit = Input<typeof EDIT>['body'];
/** Rejects when the edit is refused. */
export type EditPlayer = (edit: PlayerEdit) => Promise<void>;

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

/**
 * Edits of a player, sent one after the other. The player is shown with those that are on their way:
 * by state of its own, as what the query library tells comes too late for the next key that is pressed.
 */
export function usePlayerEdits(stored: Player): { player: Player; edit: EditPlayer } {
  const { game_id, environment } = useGame();
  const { player_id } = stored;
  const [pending, setPending] = useState<PlayerEdit[]>([]);
  const { mutateAsync } = useMutation({
    scope: { id: JSON.stringify([EDIT, game_id, environment, player_id]) },
    mutationFn: (body: PlayerEdit) =>
      call(EDIT, { params: { game_id, player_id }, query: { environment }, body }),
  });
  return {
    player: pending.reduce(applyEdit, stored),
    async edit(edit) {
      setPending((edits) => [...edits, edit]);
      try {
        await mutateAsync(edit);
      } finally {
        // After what was read anew is shown, so that nothing flickers.
        notifyManager.schedule(() => setPending((edits) => edits.filter((each) => each !== edit)));
      }
    },
  };
}
