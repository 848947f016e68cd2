import { useParams } from 'react-router';
import { useChange, useRead } from '../../../api/hooks.ts';
import { RestorationActions } from '../../../restorations/restoration-actions.tsx';
import { RestorationPage } from '../../../restorations/restoration-page.tsx';
import { EVERY_MS, isActive } from '../../../restorations/restoration.ts';
import { useGame } from '../../../shell/game.ts';
import { ExampleValues } from './example-values.tsx';
import { describeQuestion, READ, WORDS } from './restoration.ts';
import { StartStatRestoration } from './start-restoration.tsx';

const PAUSE = 'POST /v1/games/{game_id}/stat-restorations/{restoration_id}/pause';
const CONTINUE = 'POST /v1/games/{game_id}/stat-restorations/{restoration_id}/continue';
const UNDO = 'POST /v1/games/{game_id}/stat-restorations/{restoration_id}/undo';
const DELETE = 'DELETE /v1/games/{game_id}/stat-restorations/{restoration_id}';

/** Shows what a restoration of statistics has found and done, and what can be done next. */
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
      title="Take back changes"
      query={query}
      words={WORDS}
      describe={(restoration) => describeQuestion(restoration, game.time_zone)}
      actions={(restoration) => (
        <RestorationActions
          {...changes}
          restoration={restoration}
          words={WORDS}
          undoWords="The changes that were taken back count again in their hours. What players have done since the restoration stays. Values that would leave their bounds are treated as was chosen at the start."
        />
      )}
    >
      {(restoration) => (
        <>
          {restoration.state === 'ready' && restoration.value_count > 0 && (
            <StartStatRestoration restoration={restoration} />
          )}
          {restoration.value_count > 0 && <ExampleValues values={restoration.examples} />}
        </>
      )}
    </RestorationPage>
  );
}
