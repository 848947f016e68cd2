import { useNavigate } from 'react-router';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Loaded, Page } from '../../../ui/page.tsx';
import { blankDraft } from './experiment-draft.ts';
import { ExperimentForm } from './experiment-form.tsx';

export function Component() {
  const { inEnvironment, path } = useGame();
  const navigate = useNavigate();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment());
  const create = useChange('POST /v1/games/{game_id}/experiments', { leaves: true });
  const [draft] = useState(blankDraft);
  return (
    <Page
      title="New experiment"
      lead="It is stored as a draft. Nothing changes for players until you start it."
    >
      <Loaded query={config}>
        {({ parameters }) => (
          <ExperimentForm
            draft={draft}
            parameters={parameters}
            cancel="experiments"
            onSubmit={({ condition, ...rest }) =>
              create.mutateAsync({
                ...inEnvironment(),
                body: condition === null ? rest : { ...rest, condition },
              })
            }
            onDone={({ id }) => void navigate(path('experiments', id))}
          />
        )}
      </Loaded>
    </Page>
  );
}
