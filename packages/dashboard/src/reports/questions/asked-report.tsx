import type { SavedReportKind } from '@overworld/contract/analytics/reports';
import type { ReactNode } from 'react';
import { Card, Loaded } from '../../ui/page.tsx';
import type { Readable } from '../../ui/page.tsx';
import { OutsideContext } from '../outside/outside-button.tsx';
import { ReportBar } from '../report-bar.tsx';
import type { ReportData } from '../report-data.ts';
import { useReport } from '../use-report.tsx';
import type { PinnedDatedReport, Question, ReportState } from '../use-report.tsx';
import { BlankQuestion } from './blank-question.tsx';
import type { ExampleQuestion } from './blank-question.tsx';
import { QuestionPage } from './question-page.tsx';
import { ReadingEvents } from './slow-report.tsx';

/** The reports that answer a question of the reader. */
type Asked = PinnedDatedReport & SavedReportKind;

interface AskedState<R extends Asked> extends ReportState {
  before?: ReportData[R];
}

/** A page with a question and, once the question is complete enough, the report that answers it. */
export function AskedReport<R extends Asked>(props: {
  report: R;
  title: string;
  lead: string;
  file_name?: string;
  question: {
    query: Question<R>;
    /** True if the server can answer. */
    isAsked: boolean;
    /** True if the question is complete, so the reader can save it; by default when it is asked. */
    isWhole?: boolean;
  };
  /** True if the question makes groups. Then the bar offers no split. */
  hasGroups?: boolean;
  builder: ReactNode;
  /** The missing step while nothing is asked, such as `Choose an event`. */
  toDo: string;
  example: string;
  /** Reads questions that fit the events of the game. */
  useExamples?: () => readonly ExampleQuestion[];
  children: (answer: ReportData[R], report: AskedState<R>) => ReactNode;
}) {
  const { report: name, title, lead, file_name, question, hasGroups } = props;
  const { query, isAsked, isWhole = isAsked } = question;
  const report = useReport(name, query, { enabled: isAsked, file_name });
  const skeleton = (
    <Card flush>
      <ReadingEvents />
    </Card>
  );
  return (
    <QuestionPage
      title={title}
      lead={lead}
      kind={name}
      question={{ query, isWhole }}
      bar={<ReportBar report={report} hasGroups={hasGroups} />}
      builder={props.builder}
    >
      {isAsked ? (
        <OutsideContext value={report.outside}>
          <Loaded query={report.read as Readable<ReportData[R]>} skeleton={skeleton}>
            {(answer) => props.children(answer, report as AskedState<R>)}
          </Loaded>
        </OutsideContext>
      ) : (
        <Blank {...props} />
      )}
    </QuestionPage>
  );
}

const useNone = (): readonly ExampleQuestion[] => [];

function Blank(props: {
  report: Asked;
  toDo: string;
  example: string;
  useExamples?: () => readonly ExampleQuestion[];
}) {
  const { report, toDo, example, useExamples = useNone } = props;
  return (
    <BlankQuestion kind={report} toDo={toDo} examples={useExamples()}>
      {example}
    </BlankQuestion>
  );
}
