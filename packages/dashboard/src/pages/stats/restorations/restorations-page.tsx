import { useRead } from '../../../api/hooks.ts';
import { EVERY_MS, isActive } from '../../../restorations/restoration.ts';
import { RestorationsPage } from '../../../restorations/restorations-page.tsx';
import { useGame } from '../../../shell/game.ts';
import { StatRestorationForm } from './restoration-form.tsx';
import { describeQuestion, LIST, WORDS } from './restoration.ts';

/** Lists the restorations that take back changes of statistics. */
export function Component() {
  const { game, inEnvironment } = useGame();
  const list = useRead(LIST, inEnvironment());
  const isAnyActive = list.data?.restorations.some(isActive) ?? false;
  useRead(LIST, inEnvironment(), { every: isAnyActive && EVERY_MS });
  return (
    <RestorationsPage
      title="Take back changes"
      lead="When statistics were changed by mistake for some hours, find the players, see what their values would be, and take the changes of these hours back. What players have done since stays. A restoration can be paused, and undone as a whole."
      query={list}
      words={WORDS}
      describe={(restoration) => describeQuestion(restoration, game.time_zone)}
      ask="Look for bad changes"
      emptyWords="Say which statistics were changed by mistake in which hours. Nothing is changed before you have seen what was found."
      form={(onDone) => <StatRestorationForm onDone={onDone} />}
    />
  );
}
