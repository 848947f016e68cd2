import { Badge, Group } from '@mantine/core';
import type { ConfigParameter } from '@overworld/contract/remote-config/config';
import { useEffect, useState } from 'react';
import { useGame } from '../../shell/game.ts';
import { AddButton, EditButtons } from '../../ui/buttons.tsx';
import { Ago } from '../../ui/time/moment.tsx';
import { countOf } from '../../ui/format.ts';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { Value } from '../../ui/json/value.tsx';
import { notify } from '../../ui/notify.tsx';
import { useOpenedItem } from '../../ui/opened-item.ts';
import { actionsColumn, column, sortedColumn } from '../../ui/tables/columns.tsx';
import { TableCard } from '../../ui/tables/table-card.tsx';
import { ChangeList } from './changes/change-list.tsx';
import { Meanwhile } from './changes/meanwhile.tsx';
import { choose, useConfig, withParameter } from './config.ts';
import type { Chosen, Config } from './config.ts';
import { ParameterForm } from './parameter-form.tsx';
import { ExperimentBadge, ExperimentNotes } from './running-experiments.tsx';
import { ScheduleBadge, ScheduleNotes } from './schedules/schedule-notes.tsx';
import { showName } from '../../ui/shown-name.ts';

type Row = ConfigParameter & { key: string };

export function Parameters() {
  const { environment, can } = useGame();
  const { config, store } = useConfig();
  const [edited, setEdited] = useState<Chosen<string | null> | null>(null);
  const item = useOpenedItem();
  const [deleted, setDeleted] = useState<Chosen<string> | null>(null);
  const rows =
    config.data && Object.entries(config.data.parameters).map(([key, each]) => ({ key, ...each }));

  // The dialog keeps the config that was current when it opened, even if the page loads a newer one.
  const isListed =
    config.data && item.opened !== null && Object.hasOwn(config.data.parameters, item.opened);
  useEffect(() => {
    if (isListed) setEdited(choose(config.data!, item.opened));
  }, [isListed, item.opened]);
  const close = () => {
    setEdited(null);
    item.close();
  };

  /** Changes one parameter of a config, or removes it if `parameter` is null. */
  const storeParameter = async (
    current: Config,
    key: string,
    parameter: ConfigParameter | null,
  ) => {
    const parameters = withParameter(current.parameters, key, parameter);
    await store(current, parameters, (newest) => {
      setEdited((now) => now && { ...now, current: newest });
      setDeleted((now) => now && { ...now, current: newest });
    });
    notify.done(`${key} is ${parameter === null ? 'deleted' : 'stored'} in ${environment}`);
  };

  const mayEdit = can('developer');
  const createButton = mayEdit && (
    <AddButton
      size="xs"
      onClick={() => setEdited(choose(config.data!, null))}
      disabled={!config.data}
    >
      New parameter
    </AddButton>
  );

  return (
    <>
      <TableCard
        title={
          config.data && config.data.version > 0 ? <Version config={config.data} /> : 'Parameters'
        }
        actions={createButton}
        label="Parameters"
        rows={rows}
        query={config}
        rowKey={({ key }) => key}
        columns={[
          sortedColumn<Row>('key', 'Key', ({ key, description }) => (
            <>
              <code className="truncate" style={{ fontWeight: 600 }}>
                {showName(key)}
              </code>
              {description && (
                <span
                  className="truncate"
                  style={{ color: 'var(--mantine-color-dimmed)', fontSize: 12 }}
                >
                  {showName(description)}
                </span>
              )}
            </>
          )),
          column<Row>('value', 'Value', ({ value }) => <Value value={value} />),
          column<Row>('rules', 'Rules', { value: ({ rules }) => rules?.length ?? 0 }, ({ rules }) =>
            rules?.length ? countOf(rules.length, 'rule') : '',
          ),
          column<Row>('bound', 'Bound by', ({ key }) => (
            <Group gap={4}>
              <ScheduleBadge parameter={key} />
              <ExperimentBadge parameter={key} />
            </Group>
          )),
          actionsColumn((row: Row) => (
            <EditButtons
              name={row.key}
              onOpen={() => item.open(row.key)}
              onDelete={mayEdit ? () => setDeleted(choose(config.data!, row.key)) : undefined}
            />
          )),
        ]}
        emptyTitle="No parameters yet"
        emptyWords="Name a value that you want to change without a new build: prices, drop rates, a banner."
        emptyAction={createButton}
      />
      <FormDialog
        opened={edited !== null}
        onClose={close}
        title={edited?.key === null ? 'New parameter' : 'Parameter'}
        size="lg"
      >
        {edited && <ParameterForm key={edited.key} edited={edited} onStore={storeParameter} />}
      </FormDialog>
      <Confirm
        opened={deleted !== null}
        onClose={() => setDeleted(null)}
        title="Delete this parameter?"
        action="Delete parameter"
        size="lg"
        onConfirm={() => storeParameter(deleted!.current, deleted!.key, null)}
      >
        {deleted && <Deletion deleted={deleted} />}
      </Confirm>
    </>
  );
}

const Version = ({ config: { version, created_at } }: { config: Config }) => (
  <Group gap="xs" component="span">
    Version {version}
    <Badge color="gray">
      <Ago at={created_at} />
    </Badge>
  </Group>
);

function Deletion({ deleted: { seen, current, key } }: { deleted: Chosen<string> }) {
  const { environment } = useGame();
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <span>
        Games in {environment} no longer get <code>{showName(key)}</code>. It stays in the history,
        so you can restore it.
      </span>
      <Meanwhile seen={seen} current={current} />
      <ExperimentNotes keys={[key]} />
      <ScheduleNotes keys={[key]} />
      <ChangeList
        before={current.parameters}
        after={withParameter(current.parameters, key, null)}
      />
    </div>
  );
}
