import { useRead } from '../../../api/hooks.ts';
import { EVERY_MS, isActive } from '../../../restorations/restoration.ts';
import { RestorationsPage } from '../../../restorations/restorations-page.tsx';
import { useGame } from '../../../shell/game.ts';
import { RestorationForm } from './restoration-form.tsx';
import { describeQuestion, LIST, WORDS } from './restoration.ts';

/** Lists the restorations of saves that bad builds have spoiled. */
export function Component() {
  const { game, inEnvironment } = useGame();
  const list = useRead(LIST, inEnvironment());
  const isAnyActive = list.data?.restorations.some(isActive) ?? false;
  useRead(LIST, inEnvironment(), { every: isAnyActive && EVERY_MS });
  return (
    <RestorationsPage
      title="Restore many saves"
      lead="When a build has spoiled saves, find them, see what each of them would get back, and restore the last good version of all of them. A restoration can be paused, and undone as a whole."
      query={list}
      words={WORDS}
      describe={(restoration) => describeQuestion(restoration, game.time_zone)}
      ask="Look for bad saves"
      emptyWords="Say which build spoiled which saves. Nothing is changed before you have seen what was found."
      form={(onDone) => <RestorationForm onDone={onDone} />}
    />
  );
}
