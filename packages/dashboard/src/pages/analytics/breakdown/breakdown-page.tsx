import { Stack } from '@mantine/core';
import { useRead } from '../../../api/hooks.ts';
import classes from '../../../reports/builder.module.css';
import { CsvButton } from '../../../reports/csv-button.tsx';
import { RangePicker } from '../../../reports/range-picker.tsx';
import { SavedReportActions } from '../../../reports/saved-reports.tsx';
import { ReadingEvents } from '../../../reports/slow-report.tsx';
import { useReportRange } from '../../../reports/use-report-range.ts';
import { useSavedReports } from '../../../reports/use-saved-reports.ts';
import { useGame } from '../../../shell/game.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Card, Loaded, Page } from '../../../ui/page.tsx';
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
    <Page
      title="Breakdown"
      lead="Count events, players and sums by the values of a property: what is bought, where, by whom."
      actions={<SavedReportActions saved={saved} what="breakdown" isWhole={question.isAsked} />}
    >
      <Stack gap="md">
        <RangePicker range={range} />
        <div className={classes.columns}>
          <BreakdownBuilder question={question} />
          {question.isAsked ? (
            <Loaded
              query={report}
              skeleton={
                <Card flush>
                  <ReadingEvents />
                </Card>
              }
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
            </Loaded>
          ) : (
            <Card>
              <EmptyState title="Choose an event">
                Such as a purchase, broken down by its item, with the numbers of its price.
              </EmptyState>
            </Card>
          )}
        </div>
      </Stack>
    </Page>
  );
}
