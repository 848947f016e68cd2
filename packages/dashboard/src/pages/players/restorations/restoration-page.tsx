import { useParams } from 'react-router';
import { useChange, useRead } from '../../../api/hooks.ts';
import { RestorationActions } from '../../../restorations/restoration-actions.tsx';
import { RestorationPage } from '../../../restorations/restoration-page.tsx';
import { EVERY_MS, isActive } from '../../../restorations/restoration.ts';
import { useGame } from '../../../shell/game.ts';
import { ExampleSaves } from './example-saves.tsx';
import { describeQuestion, READ, WORDS } from './restoration.ts';
import { StartRestoration } from './start-restoration.tsx';

const PAUSE = 'POST /v1/games/{game_id}/save-restorations/{restoration_id}/pause';
const CONTINUE = 'POST /v1/games/{game_id}/save-restorations/{restoration_id}/continue';
const UNDO = 'POST /v1/games/{game_id}/save-restorations/{restoration_id}/undo';
const DELETE = 'DELETE /v1/games/{game_id}/save-restorations/{restoration_id}';

/** Shows what a restoration of saves has found and done, and what can be done next. */
export function Component() {
  const { game, inEnvironment } = useGame();
  const { restoration_id = '' } = useParams();
  const input = inEnvironment({ restoration_id });
  const query = useRead(READ, input);
  useRead(READ, input, { every: query.data !== undefined && isActive(query.data) && EVERY_MS });
  const changes = {
    pause: useChange(PAUSE),
    goOn: useChange(CONTINUE),
    undo: useChange(UNDO),
    remove: useChange(DELETE, { leaves: true }),
  };
  return (
    <RestorationPage
      title="Restore many saves"
      query={query}
      words={WORDS}
      describe={(restoration) => describeQuestion(restoration, game.time_zone)}
      actions={(restoration) => (
        <RestorationActions
          {...changes}
          restoration={restoration}
          words={WORDS}
          undoWords="Each restored save gets the version back that it had before, as a new version. Saves of players who have played on since the restoration are left alone."
        />
      )}
    >
      {(restoration) => (
        <>
          {restoration.state === 'ready' && restoration.save_count > 0 && (
            <StartRestoration restoration={restoration} />
          )}
          {restoration.save_count > 0 && <ExampleSaves saves={restoration.examples} />}
        </>
      )}
    </RestorationPage>
  );
}
