import { Button, Menu, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { REPORTS } from '@overworld/contract/analytics/reports';
import type { SavedReportKind } from '@overworld/contract/analytics/reports';
import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import { isVisible } from '@overworld/contract/names';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { DangerItem } from '../../ui/actions-menu.tsx';
import { useGame } from '../../shell/game.ts';
import { NamedCopyButton } from '../../ui/copy.tsx';
import { Dimmed } from '../../ui/text.tsx';
import { DialogForm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { Failure } from '../../api/failure.ts';
import { useChange, usePages } from '../../api/hooks.ts';
import { listOf } from '../../ui/tables/table-card.tsx';
import { PLAYER_PARAMETERS } from '../players/player-selection.ts';
import { REPORT_PAGES } from '../report-pages.ts';
import { useSearchState } from '../../ui/search-state.ts';
import { showName } from '../../ui/shown-name.ts';

export interface SavedQuestion {
  /** The parameters of the report, also those without a value. The URL has the same parameters. */
  query: object;
  /** True if the question is complete, so the reader can save it. */
  isWhole: boolean;
}

/** The buttons of a report page: open a saved report, copy a link to the shown report, or save it. */
export function SavedReportActions(props: { kind: SavedReportKind; question: SavedQuestion }) {
  const { kind, question } = props;
  const saved = useSavedReports(kind, question.query);
  const { can } = useGame();
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <SavedMenu saved={saved} kind={kind} />
      <NamedCopyButton text={location.href} label="Copy link" />
      {can('developer') && (
        <Button disabled={!question.isWhole} onClick={dialog.open}>
          Save
        </Button>
      )}
      <FormDialog opened={opened} onClose={dialog.close} title={`Save this ${kind}`}>
        <SaveForm saved={saved} />
      </FormDialog>
    </>
  );
}

function SavedMenu({ saved, kind }: { saved: SavedReports; kind: SavedReportKind }) {
  const { can } = useGame();
  const { shown } = saved;
  return (
    <Menu position="bottom-end" width={300} shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />} maw={260}>
          <span className="truncate">{shown?.name ?? 'Saved'}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        {saved.reports.length === 0 && (
          <Dimmed p="xs">
            No {kind} is saved yet. Everybody in the game sees the ones that are saved.
          </Dimmed>
        )}
        {saved.reports.map((report) => (
          <Menu.Item key={report.name} onClick={() => saved.open(report)}>
            <span className="truncate">{showName(report.name)}</span>
          </Menu.Item>
        ))}
        {saved.hasMore && (
          <Menu.Item closeMenuOnClick={false} onClick={saved.readMore}>
            Show more
          </Menu.Item>
        )}
        {can('developer') && shown && (
          <>
            <Menu.Divider />
            <DangerItem
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => saved.remove(shown).catch(notify.failed)}
            >
              <span className="truncate">Delete {shown.name}</span>
            </DangerItem>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function SaveForm({ saved }: { saved: SavedReports }) {
  const form = useForm({
    initialValues: { name: saved.shown?.name ?? '' },
    validate: { name: (name) => !isVisible(name) && 'Name is required' },
  });
  /** The name of a segment that dashboards or saved reports use, so that replacing it was refused. */
  const [used, setUsed] = useState<string | null>(null);
  const name = form.values.name.trim();
  const isTaken = saved.reports.some((report) => report.name === name);
  return (
    <DialogForm
      form={form}
      onSubmit={() =>
        saved.save(name, used === name).catch((error: unknown) => {
          if (error instanceof Failure && error.body.used_by !== undefined) setUsed(name);
          throw error;
        })
      }
      onDone={() => notify.done(`Saved ${name}`)}
      action={used === name ? 'Replace for all of them' : isTaken ? 'Replace' : 'Save'}
    >
      <TextInput
        label="Name"
        description={
          isTaken
            ? 'Replaces the saved report of this name'
            : 'Everybody in the game sees it. Days are not saved with it.'
        }
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}

const PAGE = 200;

/** Returns the part of a query string that defines a report: these parameters, in this order. */
function questionOf(search: URLSearchParams, parameters: readonly string[]): string {
  const question = new URLSearchParams();
  for (const name of parameters) {
    for (const value of search.getAll(name)) question.append(name, value);
  }
  return question.toString();
}

/** Lists the URL parameters that make up a saved report. The range of days is not among them. */
function parametersOf(kind: SavedReportKind, query: object): string[] {
  const { chart } = REPORT_PAGES[kind];
  const players = 'takes_players' in REPORTS[kind] ? PLAYER_PARAMETERS : [];
  return [...new Set([...Object.keys(query), ...(chart ? [chart] : []), ...players])];
}

/** Reads the saved reports of one kind. */
function useSavedReports(kind: SavedReportKind, query: object) {
  const { game_id } = useGame();
  const { search, set } = useSearchState();
  const pages = usePages('GET /v1/games/{game_id}/saved-reports', {
    params: { game_id },
    query: { kind, limit: PAGE },
  });
  const put = useChange('PUT /v1/games/{game_id}/saved-reports/{kind}/{name}');
  const remove = useChange('DELETE /v1/games/{game_id}/saved-reports/{kind}/{name}');
  const reports = listOf(pages, 'saved_reports') ?? [];
  const parameters = parametersOf(kind, query);
  const question = questionOf(search, parameters);
  const save = (name: string, text: string, replace_used = false) =>
    put.mutateAsync({ params: { game_id, kind, name }, body: { query: text, replace_used } });

  return {
    reports,
    hasMore: pages.hasNextPage,
    readMore: () => void pages.fetchNextPage(),
    /** The saved report that is shown. */
    shown: reports.find(
      (report) => questionOf(new URLSearchParams(report.query), parameters) === question,
    ),
    open(report: SavedReport) {
      const saved = new URLSearchParams(report.query);
      set(Object.fromEntries(parameters.map((name) => [name, saved.getAll(name)])));
    },
    save: (name: string, replace_used: boolean) => save(name, question, replace_used),
    async remove({ name, query: deleted }: SavedReport) {
      await remove.mutateAsync({ params: { game_id, kind, name } });
      notify.undoable(`Deleted ${name}`, () => save(name, deleted));
    },
  };
}

type SavedReports = ReturnType<typeof useSavedReports>;
