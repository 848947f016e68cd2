import { Badge, Group } from '@mantine/core';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { useState } from 'react';
import { Failure } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { actionsColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { EditButtons } from '../../ui/tables/edit-buttons.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { AddButton } from '../../ui/add-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Value } from '../../ui/json/value.tsx';
import { ConfigHistory } from './config-history.tsx';
import { ConfigPreview } from './config-preview.tsx';
import { ParameterDialog } from './parameter-dialog.tsx';

export type Config = Answer<'GET /v1/games/{game_id}/config'>;

/** A parameter to edit or delete, and the config in which the reader saw it. */
export interface Chosen<Key extends string | null> {
  config: Config;
  /** Null for a new parameter. */
  key: Key;
}

export function Component() {
  const { environment } = useGame();
  return (
    <Page
      title="Remote config"
      lead={`Values your game reads while it runs. These are for ${environment}; the other environment has its own.`}
    >
      <PageTabs
        tabs={[
          { value: 'parameters', name: 'Parameters', panel: () => <Parameters /> },
          { value: 'preview', name: 'Who gets what', panel: () => <ConfigPreview /> },
          { value: 'history', name: 'History', panel: () => <ConfigHistory /> },
        ]}
      />
    </Page>
  );
}

function Parameters() {
  const { environment, inEnvironment, can } = useGame();
  const input = inEnvironment();
  const config = useRead('GET /v1/games/{game_id}/config', input);
  const put = useChange('PUT /v1/games/{game_id}/config');
  const [edited, setEdited] = useState<Chosen<string | null> | null>(null);
  const [parameterToDelete, setParameterToDelete] = useState<Chosen<string> | null>(null);
  const rows =
    config.data && Object.entries(config.data.parameters).map(([key, each]) => ({ key, ...each }));

  /** Changes one parameter of the config that the reader saw; null removes the parameter. */
  const store = async (seen: Config, key: string, parameter: ConfigParameter | null) => {
    const parameters = new Map(Object.entries(seen.parameters));
    if (parameter === null) parameters.delete(key);
    else parameters.set(key, parameter);
    const body = { version: seen.version, parameters: Object.fromEntries(parameters) };
    try {
      await put.mutateAsync({ ...input, body });
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 409) throw error;
      const { data } = await config.refetch({ throwOnError: true });
      setEdited((now) => now && { ...now, config: data! });
      setParameterToDelete((now) => now && { ...now, config: data! });
      throw conflictWith(data!);
    }
  };

  const mayEdit = can('developer');
  const createButton = mayEdit && (
    <AddButton
      size="xs"
      onClick={() => setEdited({ config: config.data!, key: null })}
      disabled={!config.data}
    >
      New parameter
    </AddButton>
  );

  return (
    <>
      <TableCard
        title={
          config.data && config.data.version > 0 ? (
            <Group gap="xs" component="span">
              Version {config.data.version}
              <Badge color="gray">
                <Ago at={config.data.created_at} />
              </Badge>
            </Group>
          ) : (
            'Parameters'
          )
        }
        actions={createButton}
        label="Parameters"
        rows={rows}
        error={config.error}
        onRetry={() => config.refetch()}
        rowKey={({ key }) => key}
        columns={[
          {
            id: 'key',
            head: 'Key',
            value: ({ key }) => key,
            cell: ({ key, description }) => (
              <>
                <code className="truncate" style={{ fontWeight: 600 }}>
                  {key}
                </code>
                {description && (
                  <span
                    className="truncate"
                    style={{ color: 'var(--mantine-color-dimmed)', fontSize: 12 }}
                  >
                    {description}
                  </span>
                )}
              </>
            ),
          },
          { id: 'value', head: 'Value', cell: ({ value }) => <Value value={value} /> },
          {
            id: 'rules',
            head: 'Rules',
            value: ({ rules }) => rules?.length ?? 0,
            cell: ({ rules }) => (rules?.length ? countOf(rules.length, 'rule') : ''),
          },
          actionsColumn((row: { key: string }) => (
            <EditButtons
              name={row.key}
              onOpen={() => setEdited({ config: config.data!, key: row.key })}
              onDelete={
                mayEdit
                  ? () => setParameterToDelete({ config: config.data!, key: row.key })
                  : undefined
              }
            />
          )),
        ]}
        empty={
          <EmptyState title="No parameters yet" action={createButton}>
            Name a value that you want to change without a new build: prices, drop rates, a banner.
          </EmptyState>
        }
      />
      <ParameterDialog edited={edited} onClose={() => setEdited(null)} onStore={store} />
      <Confirm
        opened={parameterToDelete !== null}
        onClose={() => setParameterToDelete(null)}
        title="Delete this parameter?"
        action="Delete parameter"
        onConfirm={() => store(parameterToDelete!.config, parameterToDelete!.key, null)}
      >
        Games in {environment} no longer get <code>{parameterToDelete?.key}</code>. It stays in the
        history, so you can roll back.
      </Confirm>
    </>
  );
}

const conflictWith = ({ version, created_by }: Config) =>
  new Failure(
    409,
    `Somebody changed the config meanwhile: version ${version}${created_by ? `, by ${created_by}` : ''}. Your change was not stored. Look at the new version and try again.`,
  );
