import { Stack } from '@mantine/core';
import { AskedReport, QuestionPage } from '../../../reports/questions/question-page.tsx';
import { useReport } from '../../../reports/use-report.tsx';
import { FunnelAnswer } from './funnel-answer.tsx';
import { FunnelBuilder } from './funnel-builder.tsx';
import { FunnelGroups } from './funnel-groups.tsx';
import { FUNNEL_PARAMETERS, useFunnelQuestion } from './use-funnel-question.ts';

const REPORT = 'GET /v1/games/{game_id}/analytics/funnel';

export function Component() {
  const question = useFunnelQuestion();
  const { isAsked, isWhole, query } = question;
  const report = useReport(REPORT, 'funnel', query, { enabled: isAsked, slow: true });
  return (
    <QuestionPage
      title="Funnels"
      lead="Where players stop: of those who took the first step, how many took the next ones?"
      kind="funnel"
      parameters={FUNNEL_PARAMETERS}
      isWhole={isWhole}
      range={report.range}
      builder={<FunnelBuilder question={question} />}
    >
      <AskedReport
        isAsked={isAsked}
        query={report.read}
        toDo="Choose at least two steps"
        example="Such as the start of a level, its end, and a purchase. Each is an event that your game sends."
      >
        {(funnel) => (
          <Stack gap="md">
            <FunnelAnswer funnel={funnel} asked={question.asked} report={report} />
            {funnel.groups.length > 0 && (
              <FunnelGroups funnel={funnel} property={question.breakdown} />
            )}
          </Stack>
        )}
      </AskedReport>
    </QuestionPage>
  );
}
