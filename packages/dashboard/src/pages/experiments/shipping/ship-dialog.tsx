import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm } from '../../../ui/forms/dialogs.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { ChangeList } from '../../remote-config/changes/change-list.tsx';
import type { Parameters } from '../../remote-config/changes/parameter-changes.ts';
import { ExperimentNotes } from '../../remote-config/running-experiments.tsx';
import { ScheduleNotes } from '../../remote-config/schedules/schedule-notes.tsx';
import { sentenceOf } from '../experiment-words.ts';
import type { Experiment, MetricResult, Results } from '../experiment-words.ts';

/** Puts the values of a variant into the config, after showing what changes. */
export function ShipDialog(props: {
  opened: boolean;
  onClose: () => void;
  experiment: Experiment;
}) {
  const { opened, onClose, experiment } = props;
  const { environment, inEnvironment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment(), { enabled: opened });
  const { data: results } = useRead(
    'GET /v1/games/{game_id}/experiments/{experiment_id}/results',
    inEnvironment({ experiment_id: experiment.id }),
    { slow: true, enabled: opened },
  );
  const ship = useChange('POST /v1/games/{game_id}/experiments/{experiment_id}/ship');
  const [variant, setVariant] = useState('1');
  const { variants, state } = experiment;
  const chosen = variants[Number(variant)]!;
  const keys = Object.keys(chosen.values ?? {});
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title="Ship the winner"
      size="lg"
      action={`Ship ${chosen.name}`}
      harmless
      waits={!config.data}
      onConfirm={async () => {
        const body = { variant: Number(variant), config_version: config.data!.version };
        try {
          await ship.mutateAsync({ ...inEnvironment({ experiment_id: experiment.id }), body });
        } catch (error) {
          void config.refetch();
          throw error;
        }
        notify.done(`${chosen.name} is shipped`);
      }}
    >
      <Stack gap="md">
        <Radio.Group label="Variant" value={variant} onChange={setVariant}>
          <Stack gap={6} mt={6}>
            {variants.slice(1).map(({ name }, index) => (
              <Radio key={name} value={String(index + 1)} label={name} />
            ))}
          </Stack>
        </Radio.Group>
        {results && (
          <Text size="sm" className="name">
            By the metric that decides: {decisionOn(results, Number(variant))}
          </Text>
        )}
        {state === 'stopped' && <ExperimentNotes keys={keys} />}
        <ScheduleNotes keys={keys} />
        <Loaded query={config}>
          {({ parameters }) => (
            <ChangeList
              before={parameters}
              after={shipValues(parameters, experiment, Number(variant))}
            />
          )}
        </Loaded>
        <Text size="sm">
          This makes a new version of the remote config in {environment}, which games get at once
          {state === 'running' ? ', and ends the experiment' : ''}. The version before stays in the
          history of the config.
        </Text>
      </Stack>
    </Confirm>
  );
}

/** Returns the verdict of the first metric on a variant, as a sentence. */
function decisionOn({ metrics }: Results, variant: number): string {
  const [decides] = metrics as [MetricResult];
  return sentenceOf(decides, decides.variants[variant]!, decides.variants[0]!);
}

/** Returns the parameters as the server will store them. */
function shipValues(
  parameters: Parameters,
  { name, condition, variants }: Experiment,
  variant: number,
): Parameters {
  const values = new Map(Object.entries(variants[variant]!.values ?? {}));
  const shipped = Object.entries(parameters).map(([key, parameter]) => {
    if (!values.has(key)) return [key, parameter] as const;
    const { rules = [], ...rest } = parameter;
    const value: unknown = values.get(key);
    if (condition === null) return [key, { ...rest, value }] as const;
    return [key, { ...rest, rules: [{ name, ...condition, value }, ...rules] }] as const;
  });
  return Object.fromEntries(shipped);
}
