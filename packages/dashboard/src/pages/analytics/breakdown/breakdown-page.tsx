import { AskedReport, QuestionPage } from '../../../reports/questions/question-page.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import { BreakdownAnswer } from './breakdown-answer.tsx';
import { BreakdownBuilder } from './breakdown-builder.tsx';
import { BREAKDOWN_PARAMETERS, useBreakdownQuestion } from './use-breakdown-question.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/breakdown';

export function Component() {
  const question = useBreakdownQuestion();
  const { isAsked, query } = question;
  const report = useReport(REPORT, 'breakdown', query, { enabled: isAsked, slow: true });
  return (
    <QuestionPage
      title="Breakdown"
      lead="Count events, players and sums by the values of a property: purchases by item, by country, by player."
      kind="breakdown"
      parameters={BREAKDOWN_PARAMETERS}
      isWhole={isAsked}
      range={report.range}
      builder={<BreakdownBuilder question={question} />}
    >
      <AskedReport
        isAsked={isAsked}
        query={report.read}
        toDo="Choose an event"
        example="Such as a purchase, broken down by its item, with the numbers of its price."
      >
        {(breakdown) => (
          <BreakdownAnswer breakdown={breakdown} question={question} report={report} />
        )}
      </AskedReport>
    </QuestionPage>
  );
}
