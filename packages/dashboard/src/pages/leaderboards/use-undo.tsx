import { Failure } from '../../api/failure.ts';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { countOf } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';

/**
 * Undoes decisions about scores and players. Once somebody has undone a decision, messages no longer
 * offer to undo it.
 */
export function useUndo() {
  const { game_id } = useGame();
  const undo = useChange('POST /v1/games/{game_id}/leaderboard-decisions/{decision_id}/undo');
  const takeBack = async (decision_id: string) => {
    try {
      const { skipped } = await undo.mutateAsync({ params: { game_id, decision_id } });
      notify.withdraw(decision_id);
      notify.done(
        skipped === 0
          ? 'The decision is undone'
          : `The decision is undone, but not for ${countOf(skipped, 'score')}: the player has a newer score by now or is banned, or the score was decided since`,
      );
    } catch (error) {
      if (error instanceof Failure && [404, 409].includes(error.status)) {
        notify.withdraw(decision_id);
      }
      throw error;
    }
  };
  return {
    takeBack,
    /** Shows a message about a decision, with a button that undoes it. */
    offer: (decision_id: string, message: string) =>
      notify.undoable(message, () => takeBack(decision_id), decision_id),
  };
}
