import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import type { Readable } from '../../ui/page.tsx';
import classes from './builder.module.css';
import { RangePicker } from '../days/range-picker.tsx';
import { SavedReportActions } from './saved-reports.tsx';
import { ReadingEvents } from './slow-report.tsx';
import type { ReportRange } from '../days/use-report-range.ts';
import type { SavedReports } from './use-saved-reports.ts';

/** A page on which a question is built and saved, with the answer beside the builder. */
export function QuestionPage(props: {
  title: string;
  lead: string;
  range: ReportRange;
  saved: SavedReports;
  /** What is saved here, such as `funnel`. */
  what: string;
  /** Whether the question is whole, so that it can be saved. */
  isWhole: boolean;
  builder: ReactNode;
  children: ReactNode;
}) {
  const { title, lead, range, saved, what, isWhole, builder, children } = props;
  return (
    <Page
      title={title}
      lead={lead}
      actions={<SavedReportActions saved={saved} what={what} isWhole={isWhole} />}
    >
      <Stack gap="md">
        <RangePicker range={range} />
        <div className={classes.columns}>
          {builder}
          {children}
        </div>
      </Stack>
    </Page>
  );
}

/** The answer to a question once it is asked; until then what to do to ask it. */
export function AskedReport<T>(props: {
  isAsked: boolean;
  query: Readable<T>;
  /** What is missing, such as `Choose an event`. */
  toDo: string;
  example: string;
  children: (report: T) => ReactNode;
}) {
  const { isAsked, query, toDo, example, children } = props;
  if (!isAsked) {
    return (
      <Card>
        <EmptyState title={toDo}>{example}</EmptyState>
      </Card>
    );
  }
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
