import type { ReactNode } from 'react';
import { EventField } from '../../reports/questions/event-choice-fields.tsx';
import { useEventNames, useEventProperties } from '../../reports/questions/known-names.ts';
import { SuggestedInput } from '../../reports/questions/suggested-input.tsx';
import { FailureText, Note } from '../../ui/text.tsx';
import type { SourceDraft } from './source-draft.ts';
import type { Stat } from './stat-words.ts';

/** The fields for the events that move a statistic. */
export function SourceFields(props: {
  source: SourceDraft;
  aggregation: Stat['aggregation'];
  onChange: (source: SourceDraft) => void;
  error: ReactNode;
}) {
  const { source, aggregation, onChange, error } = props;
  const events = useEventNames();
  const properties = useEventProperties(source.event_name);
  return (
    <>
      <EventField
        label="Event"
        events={events}
        choice={source}
        onChange={(choice) => onChange({ ...source, ...choice })}
      />
      <SuggestedInput
        label="Property"
        isLabelled
        placeholder={aggregation === 'sum' ? 'None: each event counts as 1' : 'distance'}
        description="Its numbers are joined; events without a number do not count"
        suggestions={properties}
        value={source.property}
        onChange={(property) => onChange({ ...source, property })}
      />
      {error && <FailureText size="xs">{error}</FailureText>}
      <Note>
        The values are counted from the events that are stored, and no call can change them. New
        events of the game wait meanwhile.
      </Note>
    </>
  );
}
