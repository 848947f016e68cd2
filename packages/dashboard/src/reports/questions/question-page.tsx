import { Stack } from '@mantine/core';
import type { SavedReport } from '@overworld/contract/analytics/saved-reports';
import type { ReactNode } from 'react';
import { Card, EmptyCard, Loaded, Page } from '../../ui/page.tsx';
import type { Readable } from '../../ui/page.tsx';
import classes from './builder.module.css';
import { SavedReportActions } from './saved-reports.tsx';
import { ReadingEvents } from './slow-report.tsx';

/** A page on which the reader builds and saves a question, with the answer beside the builder. */
export function QuestionPage(props: {
  title: string;
  lead: string;
  kind: SavedReport['kind'];
  /** The parameters of the URL that make up a saved report. */
  parameters: readonly string[];
  /** True if the question is complete, so the reader can save it. */
  isWhole: boolean;
  /** The bar that chooses the days and the players of the report. */
  bar: ReactNode;
  builder: ReactNode;
  children: ReactNode;
}) {
  const { title, lead, kind, parameters, isWhole, bar, builder, children } = props;
  return (
    <Page
      title={title}
      lead={lead}
      actions={<SavedReportActions kind={kind} parameters={parameters} isWhole={isWhole} />}
    >
      <Stack gap="md">
        {bar}
        <div className={classes.columns}>
          {builder}
          {children}
        </div>
      </Stack>
    </Page>
  );
}

/** Shows the answer to a question or, while the question is incomplete, the next step. */
export function AskedReport<T>(props: {
  isAsked: boolean;
  query: Readable<T>;
  /** The missing step, such as `Choose an event`. */
  toDo: string;
  example: string;
  children: (report: T) => ReactNode;
}) {
  const { isAsked, query, toDo, example, children } = props;
  if (!isAsked) return <EmptyCard title={toDo}>{example}</EmptyCard>;
  const skeleton = (
    <Card flush>
      <ReadingEvents />
    </Card>
  );
  return (
    <Loaded query={query} skeleton={skeleton}>
      {children}
    </Loaded>
  );
}
