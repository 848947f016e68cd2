import { Badge, Button, Group } from '@mantine/core';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { useState } from 'react';
import { Failure } from '../../api/failure.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Ago } from '../../ui/ago.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { DataTable } from '../../ui/tables/data-table.tsx';
import { EditButtons } from '../../ui/tables/edit-buttons.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { countOf } from '../../ui/format.ts';
import { IconPlus } from '../../ui/icons.ts';
import { Card, Page } from '../../ui/page.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Value } from '../../ui/json/value.tsx';
import { ConfigHistory } from './config-history.tsx';
import { ConfigPreview } from './config-preview.tsx';
import { ParameterDialog } from './parameter-dialog.tsx';

export type Config = Answer<'GET /v1/games/{game_id}/config'>;

/** A parameter that is edited or to be deleted, and the config in which the person saw it. */
export interface Chosen<Key extends string | null> {
  config: Config;
  /** Null: a new one. */
  key: Key;
}

export function Component() {
  const { environment } = useGame();
  return (
    <Page
      title="Remote Config"
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
  const { game_id, environment, can } = useGame();
  const input = { params: { game_id }, query: { environment } };
  const config = useRead('GET /v1/games/{game_id}/config', input);
  const put = useChange('PUT /v1/games/{game_id}/config');
  const [edited, setEdited] = useState<Chosen<string | null> | null>(null);
  const [parameterToDelete, setParameterToDelete] = useState<Chosen<string> | null>(null);
  const rows =
    config.data && Object.entries(config.data.parameters).map(([key, each]) => ({ key, ...each }));

  /** Stores the config that the person saw with one parameter changed (null: taken out). */
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
    <Button
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={() => setEdited({ config: config.data!, key: null })}
      disabled={!config.data}
    >
      New parameter
    </Button>
  );

  return (
    <>
      <Card
        flush
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
      >
        <DataTable
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
            {
              id: 'actions',
              head: <span className="visually-hidden">Actions</span>,
              align: 'end',
              cell: (row) => (
                <EditButtons
                  name={row.key}
                  onOpen={() => setEdited({ config: config.data!, key: row.key })}
                  onDelete={
                    mayEdit
                      ? () => setParameterToDelete({ config: config.data!, key: row.key })
                      : undefined
                  }
                />
              ),
            },
          ]}
          empty={
            <EmptyState title="No parameters yet" action={createButton}>
              Name a value that you want to change without a new build: prices, drop rates, a
              banner.
            </EmptyState>
          }
        />
      </Card>
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
    `Somebody changed the config meanwhile: version ${version}${created_by ? `, by ${created_by}` : ''}. Nothing of yours was stored; look at it and try again.`,
  );
