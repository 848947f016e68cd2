import { Stack } from '@mantine/core';
import type { SavedReportKind } from '@overworld/contract/analytics/reports';
import type { ReactNode } from 'react';
import { Page } from '../../ui/page.tsx';
import classes from './builder.module.css';
import { SavedReportActions } from './saved-reports.tsx';
import type { SavedQuestion } from './saved-reports.tsx';

/** A page on which the reader builds and saves a question, with the answer beside the builder. */
export function QuestionPage(props: {
  title: string;
  lead: string;
  kind: SavedReportKind;
  question: SavedQuestion;
  /** The bar that chooses the days and the players of the report. */
  bar: ReactNode;
  builder: ReactNode;
  children: ReactNode;
}) {
  const { title, lead, kind, question, bar, builder, children } = props;
  return (
    <Page
      title={title}
      lead={lead}
      actions={<SavedReportActions kind={kind} question={question} />}
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
