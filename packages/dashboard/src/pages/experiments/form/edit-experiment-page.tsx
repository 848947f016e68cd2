import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useChange, useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Loaded, Page } from '../../../ui/page.tsx';
import type { Experiment } from '../experiment-words.ts';
import { readDraft } from './experiment-draft.ts';
import { ExperimentForm } from './experiment-form.tsx';

export function Component() {
  const { inEnvironment } = useGame();
  const { experiment_id = '' } = useParams();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment());
  const experiment = useRead(
    'GET /v1/games/{game_id}/experiments/{experiment_id}',
    inEnvironment({ experiment_id }),
  );
  return (
    <Page title="Edit experiment">
      <Loaded query={config}>
        {({ parameters }) => (
          <Loaded query={experiment}>
            {(data) => <Editor experiment={data} parameters={parameters} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Editor(props: {
  experiment: Experiment;
  parameters: Answer<'GET /v1/games/{game_id}/config'>['parameters'];
}) {
  const { inEnvironment, path } = useGame();
  const navigate = useNavigate();
  const change = useChange('PATCH /v1/games/{game_id}/experiments/{experiment_id}');
  const { id: experiment_id } = props.experiment;
  const [draft] = useState(() => readDraft(props.experiment));
  return (
    <ExperimentForm
      draft={draft}
      parameters={props.parameters}
      cancel={`experiments/${experiment_id}`}
      onSubmit={(body) => change.mutateAsync({ ...inEnvironment({ experiment_id }), body })}
      onDone={() => void navigate(path('experiments', experiment_id))}
    />
  );
}
