import { useRead } from '../../../api/hooks.ts';
import { CsvButton } from '../../../reports/csv-button.tsx';
import { AskedReport, QuestionPage } from '../../../reports/questions/question-page.tsx';
import { useReportRange } from '../../../reports/days/use-report-range.ts';
import { useSavedReports } from '../../../reports/questions/use-saved-reports.ts';
import { useGame } from '../../../shell/game.ts';
import { BreakdownAnswer } from './breakdown-answer.tsx';
import { BreakdownBuilder } from './breakdown-builder.tsx';
import { BREAKDOWN_PARAMETERS, useBreakdownQuestion } from './use-breakdown-question.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/breakdown';

export function Component() {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const question = useBreakdownQuestion();
  const saved = useSavedReports('breakdown', BREAKDOWN_PARAMETERS);
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to, ...question.query } };
  const report = useRead(REPORT, input, { enabled: question.isAsked, slow: true, keep: true });
  return (
    <QuestionPage
      title="Breakdown"
      lead="Count events, players and sums by the values of a property: what is bought, where, by whom."
      range={range}
      saved={saved}
      what="breakdown"
      isWhole={question.isAsked}
      builder={<BreakdownBuilder question={question} />}
    >
      <AskedReport
        isAsked={question.isAsked}
        query={report}
        toDo="Choose an event"
        example="Such as a purchase, broken down by its item, with the numbers of its price."
      >
        {(breakdown) => (
          <BreakdownAnswer
            breakdown={breakdown}
            question={question}
            isWaiting={report.isPlaceholderData}
            csv={
              <CsvButton
                route={REPORT}
                input={input}
                name={`breakdown-${environment}-${from}-${to}`}
              />
            }
          />
        )}
      </AskedReport>
    </QuestionPage>
  );
}
