import { Alert, Badge, Tooltip } from '@mantine/core';
import { MAX_RUNNING_EXPERIMENTS } from '@overworld/contract/remote-config/experiment-limits';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { TextLink } from '../../ui/links.tsx';
import { parametersOf } from '../experiments/experiment-words.ts';
import { showName } from '../../ui/shown-name.ts';

/** Finds the running experiment of a parameter. An environment has at most one for each parameter. */
function useFindExperiment() {
  const { inEnvironment } = useGame();
  const running = useRead(
    'GET /v1/games/{game_id}/experiments',
    inEnvironment({}, { state: 'running' as const, limit: MAX_RUNNING_EXPERIMENTS }),
  );
  const experiments = running.data?.experiments ?? [];
  return (key: string) => experiments.find((each) => parametersOf(each).includes(key));
}

/** Tells which of the parameters cannot change now, because an experiment runs on them. */
export function ExperimentNotes({ keys }: { keys: readonly string[] }) {
  const { path } = useGame();
  const findExperiment = useFindExperiment();
  return keys.map((key) => {
    const experiment = findExperiment(key);
    if (experiment === undefined) return null;
    return (
      <Alert key={key} color="ochre" py="xs" className="name">
        The experiment{' '}
        <TextLink to={path('experiments', experiment.id)}>{experiment.name}</TextLink> runs on{' '}
        <span className="mono">{showName(key)}</span>, so its value and its rules cannot change.
        Stop or ship the experiment first.
      </Alert>
    );
  });
}

/** Marks a parameter on which an experiment runs. */
export function ExperimentBadge({ parameter }: { parameter: string }) {
  const experiment = useFindExperiment()(parameter);
  if (experiment === undefined) return null;
  return (
    <Tooltip label={`${experiment.name} runs on it`}>
      <Badge color="lagoon">experiment</Badge>
    </Tooltip>
  );
}
