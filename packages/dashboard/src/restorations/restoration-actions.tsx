import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useGame } from '../shell/game.ts';
import { Confirm } from '../ui/forms/dialogs.tsx';
import { countOf } from '../ui/format.ts';
import { notify } from '../ui/notify.tsx';
import { isActive } from './restoration.ts';
import type { Restoration, RestorationWords } from './restoration.ts';

/** A change that one click makes. */
interface Change {
  isPending: boolean;
  mutate: (input: RestorationInput) => void;
}

/** A change that is confirmed first. */
interface ConfirmedChange {
  mutateAsync: (input: RestorationInput) => Promise<unknown>;
}

/** The input of all changes of a restoration. */
type RestorationInput = ReturnType<typeof useRestorationInput>;

const useRestorationInput = (restoration_id: string) => useGame().inEnvironment({ restoration_id });

interface ActionsProps {
  restoration: Restoration;
  words: RestorationWords;
  pause: Change;
  goOn: Change;
  undo: ConfirmedChange;
  remove: ConfirmedChange;
  /** The effect of an undo, in a sentence. */
  undoWords: ReactNode;
}

/** The buttons that pause, go on with, undo and delete a restoration. */
export function RestorationActions(props: ActionsProps) {
  const { restoration, words, pause, goOn, undo, remove, undoWords } = props;
  const { can, path } = useGame();
  const navigate = useNavigate();
  const { restoration_id, state, started_at, undo_begun_at, restored_count } = restoration;
  const input = useRestorationInput(restoration_id);
  const [isUndoing, undoing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  if (!can('developer')) return null;
  const isUndoable =
    started_at !== null && undo_begun_at === null && ['running', 'paused', 'done'].includes(state);
  return (
    <>
      {isActive(restoration) && (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate(input)}>
          Pause
        </Button>
      )}
      {state === 'paused' && (
        <Button variant="default" loading={goOn.isPending} onClick={() => goOn.mutate(input)}>
          Go on
        </Button>
      )}
      {isUndoable && (
        <Button variant="default" onClick={undoing.open}>
          Undo
        </Button>
      )}
      {!isActive(restoration) && (
        <Button variant="default" onClick={deleting.open}>
          Delete
        </Button>
      )}
      <Confirm
        opened={isUndoing}
        onClose={undoing.close}
        title="Undo this restoration?"
        action={`Undo ${countOf(restored_count, words.thing)}`}
        onConfirm={() => undo.mutateAsync(input)}
      >
        {undoWords}
      </Confirm>
      <Confirm
        opened={isDeleting}
        onClose={deleting.close}
        title="Delete this restoration?"
        action="Delete restoration"
        onConfirm={async () => {
          await remove.mutateAsync(input);
          notify.done('Restoration deleted');
          await navigate(path(words.list_path));
        }}
      >
        The {words.thing}s stay as they are, and the restoration cannot be undone any more.
      </Confirm>
    </>
  );
}
