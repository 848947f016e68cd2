import { Menu, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { ActionsMenu, DangerItem } from '../../ui/actions-menu.tsx';
import { AddButton } from '../../ui/buttons.tsx';
import { Confirm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { EmptyCard, Loaded, Page } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import { showName } from '../../ui/shown-name.ts';
import { MetricForm } from './metric-form.tsx';
import { MetricReportCards } from './metric-report.tsx';

/** The page about the metrics of a game: one of them day by day, and their definitions. */
export function Component() {
  const { game_id, can } = useGame();
  const list = useRead('GET /v1/games/{game_id}/metrics', { params: { game_id } });
  const remove = useChange('DELETE /v1/games/{game_id}/metrics/{metric_key}');
  const { search, set } = useSearchState();
  const [creating, create] = useDisclosure();
  const [editing, edit] = useDisclosure();
  const [deleting, confirm] = useDisclosure();
  const metrics = list.data?.metrics ?? [];
  const shown = metrics.find(({ key }) => key === search.get('metric_key')) ?? metrics[0];
  const show = (key: string | null) => set({ metric_key: key });
  const mayEdit = can('developer');
  const createButton = mayEdit && <AddButton onClick={create.open}>New metric</AddButton>;

  return (
    <Page
      title="Metrics"
      lead="Numbers that you define once, and then use in charts and dashboards. Both environments share the definitions."
      actions={
        <>
          {mayEdit && shown && (
            <ActionsMenu>
              <Menu.Item onClick={edit.open}>Edit metric</Menu.Item>
              <DangerItem onClick={confirm.open}>Delete metric</DangerItem>
            </ActionsMenu>
          )}
          {createButton}
        </>
      }
    >
      <Loaded query={list}>
        {() =>
          shown === undefined ? (
            <EmptyCard title="No metrics yet" action={createButton}>
              Create one for a number that matters to you: the players who buy something, the
              average level of a death, or the share of players who pay.
            </EmptyCard>
          ) : (
            <MetricReportCards
              key={shown.key}
              metric={shown}
              metrics={metrics}
              filters={
                <Select
                  aria-label="Metric"
                  data={metrics.map(({ key, name }) => ({ value: key, label: showName(name) }))}
                  value={shown.key}
                  onChange={show}
                  allowDeselect={false}
                  searchable
                />
              }
            />
          )
        }
      </Loaded>
      <FormDialog opened={creating} onClose={create.close} title="New metric" size="lg">
        <MetricForm edited={null} metrics={metrics} onDone={show} />
      </FormDialog>
      <FormDialog
        opened={editing && shown !== undefined}
        onClose={edit.close}
        title="Edit metric"
        size="lg"
      >
        {shown && <MetricForm edited={shown} metrics={metrics} onDone={show} />}
      </FormDialog>
      <Confirm
        opened={deleting}
        onClose={confirm.close}
        title="Delete this metric?"
        action="Delete metric"
        onConfirm={async () => {
          await remove.mutateAsync({ params: { game_id, metric_key: shown!.key } });
          show(null);
        }}
      >
        <b>{showName(shown?.name)}</b> is no longer counted. While other metrics or cards use it, it
        stays as it is.
      </Confirm>
    </Page>
  );
}
