import { Textarea, TextInput } from '@mantine/core';
import type { ParameterDraft } from './parameter-draft.ts';
import { RuleList } from './rule-list.tsx';
import { RulePreview } from './rule-preview.tsx';

/** The fields of a parameter: its description, its value and its rules. */
export function ParameterFields(props: {
  /** The key of the parameter, as typed so far. */
  parameter: string;
  draft: ParameterDraft;
  readOnly: boolean;
  /** Returns the props for the text field, such as the props that a form makes for its inputs. */
  inputProps: (field: 'description' | 'value') => object;
  onRules: (rules: ParameterDraft['rules']) => void;
}) {
  const { parameter, draft, readOnly, inputProps, onRules } = props;
  return (
    <>
      <TextInput label="Description" readOnly={readOnly} {...inputProps('description')} />
      <Textarea
        label="Value"
        description='JSON: 100, true, "text", {"open": true}'
        autosize
        minRows={1}
        maxRows={12}
        readOnly={readOnly}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        {...inputProps('value')}
      />
      <RuleList rules={draft.rules} readOnly={readOnly} onChange={onRules} />
      {draft.rules.length > 0 && <RulePreview parameter={parameter} draft={draft} />}
    </>
  );
}
