import type { SavedReportKind } from '@overworld/contract/analytics/reports';
import type { ReactNode } from 'react';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/links.tsx';
import { Card } from '../../ui/page.tsx';
import { useSearchState } from '../../ui/search-state.ts';
import classes from './builder.module.css';

/** A question that the game's events can answer: its words, and its parameters in the URL. */
export interface ExampleQuestion {
  words: string;
  query: Record<string, string>;
}

/** The number of saved questions that are listed. The menu of the page has all. */
const SAVED_SHOWN = 6;

/** Stands in for the answer while nothing is asked: the missing step, saved questions and examples. */
export function BlankQuestion(props: {
  kind: SavedReportKind;
  toDo: string;
  children: ReactNode;
  examples: readonly ExampleQuestion[];
}) {
  const { kind, toDo, children, examples } = props;
  const { game_id } = useGame();
  const { search } = useSearchState();
  const saved = useRead('GET /v1/games/{game_id}/saved-reports', {
    params: { game_id },
    query: { kind, limit: SAVED_SHOWN },
  });
  /** The days and the players that the reader has chosen stay. */
  const withQuestion = (question: Iterable<[string, string]>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of question) next.set(name, value);
    return `?${next}`;
  };
  const lists = [
    {
      name: 'Saved by your studio',
      links: (saved.data?.saved_reports ?? []).map((report) => ({
        words: report.name,
        to: withQuestion(new URLSearchParams(report.query)),
      })),
    },
    {
      name: 'For example, from your events',
      links: examples.map(({ words, query }) => ({
        words,
        to: withQuestion(Object.entries(query)),
      })),
    },
  ].filter(({ links }) => links.length > 0);
  return (
    <Card>
      <EmptyState title={toDo}>{children}</EmptyState>
      {lists.length > 0 && (
        <div className={classes.starts}>
          {lists.map(({ name, links }) => (
            <section key={name} aria-label={name}>
              <h3>{name}</h3>
              <ul>
                {links.map(({ words, to }) => (
                  <li key={to}>
                    <TextLink to={to} className="name">
                      {words}
                    </TextLink>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </Card>
  );
}
