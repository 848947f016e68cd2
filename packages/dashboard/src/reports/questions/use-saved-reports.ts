import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import { useChange, usePages } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { notify } from '../../ui/notify.tsx';
import { listOf } from '../../ui/tables/paged.ts';
import { useSearchState } from '../../ui/search-state.ts';

const PAGE = 200;

/** The question that the address asks: the values of these parameters, in their order. */
function questionOf(search: URLSearchParams, parameters: readonly string[]): string {
  const question = new URLSearchParams();
  for (const name of parameters) {
    for (const value of search.getAll(name)) question.append(name, value);
  }
  return question.toString();
}

/**
 * The reports of a kind that the studio has saved.
 * @param parameters The parameters of the address that such a question consists of, without its days.
 */
export function useSavedReports(kind: SavedReport['kind'], parameters: readonly string[]) {
  const { game_id } = useGame();
  const { search, set } = useSearchState();
  const pages = usePages('GET /v1/games/{game_id}/saved-reports', {
    params: { game_id },
    query: { kind, limit: PAGE },
  });
  const put = useChange('PUT /v1/games/{game_id}/saved-reports/{kind}/{name}');
  const remove = useChange('DELETE /v1/games/{game_id}/saved-reports/{kind}/{name}');
  const reports = listOf(pages, 'saved_reports') ?? [];
  const question = questionOf(search, parameters);
  const save = (name: string, query: string) =>
    put.mutateAsync({ params: { game_id, kind, name }, body: { query } });

  return {
    reports,
    hasMore: pages.hasNextPage,
    readMore: () => void pages.fetchNextPage(),
    /** The saved report that is shown. */
    shown: reports.find(
      ({ query }) => questionOf(new URLSearchParams(query), parameters) === question,
    ),
    open({ query }: SavedReport) {
      const saved = new URLSearchParams(query);
      set(Object.fromEntries(parameters.map((name) => [name, saved.getAll(name)])));
    },
    save: (name: string) => save(name, question),
    async remove({ name, query }: SavedReport) {
      await remove.mutateAsync({ params: { game_id, kind, name } });
      notify.undoable(`Deleted ${name}`, () => save(name, query));
    },
  };
}

export type SavedReports = ReturnType<typeof useSavedReports>;
