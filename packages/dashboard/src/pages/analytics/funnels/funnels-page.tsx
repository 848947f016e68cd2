import { Stack } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import { CsvButton } from '../../../reports/csv-button.tsx';
import { AskedReport, QuestionPage } from '../../../reports/questions/question-page.tsx';
import { useReportRange } from '../../../reports/days/use-report-range.ts';
import { useSavedReports } from '../../../reports/questions/use-saved-reports.ts';
import { useGame } from '../../../shell/game.ts';
import { FunnelAnswer } from './funnel-answer.tsx';
import { FunnelBuilder } from './funnel-builder.tsx';
import { FunnelGroups } from './funnel-groups.tsx';
import { FUNNEL_PARAMETERS, useFunnelQuestion } from './use-funnel-question.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/funnel';

export function Component() {
  const { game_id, environment } = useGame();
  const range = useReportRange();
  const question = useFunnelQuestion();
  const saved = useSavedReports('funnel', FUNNEL_PARAMETERS);
  const { from, to } = range;
  const input = { params: { game_id }, query: { environment, from, to, ...question.query } };
  const report = useRead(REPORT, input, { enabled: question.isAsked, slow: true, keep: true });
  const asked = question.steps.filter(({ event_name }) => event_name !== '');
  return (
    <QuestionPage
      title="Funnels"
      lead="Where players stop: of those who took the first step, how many took the next ones?"
      range={range}
      saved={saved}
      what="funnel"
      isWhole={question.isWhole}
      builder={<FunnelBuilder question={question} />}
    >
      <AskedReport
        isAsked={question.isAsked}
        query={report}
        toDo="Choose at least two steps"
        example="Such as the start of a level, its end, and a purchase. Each is an event that your game sends."
      >
        {(funnel) => (
          <Stack gap="md">
            <FunnelAnswer
              funnel={funnel}
              asked={asked}
              isWaiting={report.isPlaceholderData}
              csv={
                <CsvButton
                  route={REPORT}
                  input={input}
                  name={`funnel-${environment}-${from}-${to}`}
                />
              }
            />
            {funnel.groups.length > 0 && (
              <FunnelGroups funnel={funnel} property={question.breakdown} />
            )}
          </Stack>
        )}
      </AskedReport>
    </QuestionPage>
  );
}
