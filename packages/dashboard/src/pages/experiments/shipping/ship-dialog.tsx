import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { Confirm } from '../../../ui/forms/confirm.tsx';
import { countOf } from '../../../ui/format.ts';
import { Value } from '../../../ui/json/value.tsx';
import { notify } from '../../../ui/notify.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { DataTable } from '../../../ui/tables/data-table.tsx';
import type { Experiment } from '../experiment-words.ts';

type Config = Answer<'GET /v1/games/{game_id}/config'>;

/** Puts the values of a variant into the config, after a look at the changes. */
export function ShipDialog(props: {
  opened: boolean;
  onClose: () => void;
  experiment: Experiment;
}) {
  const { opened, onClose, experiment } = props;
  const { environment, inEnvironment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment(), { enabled: opened });
  const ship = useChange('POST /v1/games/{game_id}/experiments/{experiment_id}/ship');
  const [variant, setVariant] = useState('1');
  const { variants, condition, state } = experiment;
  const chosen = variants[Number(variant)]!;
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title="Ship the winner"
      size="lg"
      action={`Ship ${chosen.name}`}
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
        <Loaded query={config}>
          {({ parameters }) => (
            <Changes
              parameters={parameters}
              values={(chosen.values ?? {}) as Record<string, unknown>}
              isForSome={condition !== null}
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

function Changes(props: {
  parameters: Config['parameters'];
  values: Record<string, unknown>;
  /** The values are for players whom a condition selects. */
  isForSome: boolean;
}) {
  const { parameters, values, isForSome } = props;
  const rows = Object.entries(values).map(([key, value]) => {
    const now = Object.hasOwn(parameters, key) ? parameters[key]! : undefined;
    return { key, value, now: now?.value, rules: now?.rules?.length ?? 0 };
  });
  return (
    <DataTable
      label="Changes of the remote config"
      density="compact"
      rows={rows}
      rowKey={({ key }) => key}
      columns={[
        {
          id: 'key',
          head: 'Parameter',
          cell: ({ key }) => <code className="truncate">{key}</code>,
        },
        { id: 'now', head: 'Now', cell: ({ now }) => <Value value={now} /> },
        { id: 'then', head: 'Then', cell: ({ value }) => <Value value={value} /> },
        {
          id: 'rules',
          head: 'Rules',
          cell: ({ rules }) => {
            if (isForSome) return 'first rule, for the condition';
            return rules === 0 ? '' : `${countOf(rules, 'rule')} removed`;
          },
        },
      ]}
    />
  );
}
