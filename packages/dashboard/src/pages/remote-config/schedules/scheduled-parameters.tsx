import { Autocomplete, Group, Stack } from '@mantine/core';
import { MAX_SCHEDULED_PARAMETERS } from '@overworld/contract/remote-config/schedule-limits';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import type { Config } from '../config.ts';
import { readParameter } from '../rules/parameter-draft.ts';
import { ParameterFields } from '../rules/parameter-fields.tsx';
import classes from '../rules/rule-fields.module.css';
import type { ScheduledDraft } from './schedule-draft.ts';
import { PartTitle } from '../../../ui/text.tsx';
import { showName } from '../../../ui/shown-name.ts';

/** The parameters that a scheduled change sets. */
export function ScheduledParameters(props: {
  config: Config;
  parameters: ScheduledDraft[];
  readOnly: boolean;
  onChange: (parameters: ScheduledDraft[]) => void;
}) {
  const { config, parameters, readOnly, onChange } = props;
  const [key, setKey] = useState('');
  const known = Object.keys(config.parameters);
  const chosen = parameters.map((each) => each.key);
  const mayAdd = key !== '' && !chosen.includes(key);

  const add = () => {
    if (!mayAdd) return;
    const current = Object.hasOwn(config.parameters, key) ? config.parameters[key]! : null;
    onChange([...parameters, { key, draft: readParameter(current) }]);
    setKey('');
  };
  const set = (index: number, changes: Partial<ScheduledDraft['draft']>) =>
    onChange(
      parameters.map((each, place) =>
        place === index ? { ...each, draft: { ...each.draft, ...changes } } : each,
      ),
    );

  return (
    <Stack gap="sm">
      <PartTitle>Parameters</PartTitle>
      {parameters.map(({ key: name, draft }, index) => (
        <fieldset key={name} className={classes.rule}>
          <legend className="visually-hidden">{name}</legend>
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap">
              <code className="truncate" style={{ fontWeight: 600 }}>
                {showName(name)}
              </code>
              {!readOnly && (
                <IconButton
                  icon={IconTrash}
                  label={`Leave ${name} out`}
                  onClick={() => onChange(parameters.toSpliced(index, 1))}
                />
              )}
            </Group>
            <ParameterFields
              parameter={name}
              draft={draft}
              readOnly={readOnly}
              inputProps={(field) => ({
                value: draft[field],
                onChange: (event: { currentTarget: { value: string } }) =>
                  set(index, { [field]: event.currentTarget.value }),
              })}
              onRules={(rules) => set(index, { rules })}
            />
          </Stack>
        </fieldset>
      ))}
      {!readOnly && parameters.length < MAX_SCHEDULED_PARAMETERS && (
        <Group align="flex-end" gap="xs">
          <Autocomplete
            label="Parameter to change"
            placeholder={known[0] ?? 'daily_reward'}
            data={known.filter((each) => !chosen.includes(each))}
            value={key}
            onChange={setKey}
            style={{ flex: '1 1 200px' }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !mayAdd || event.defaultPrevented) return;
              event.preventDefault();
              add();
            }}
          />
          <AddButton variant="default" disabled={!mayAdd} onClick={add}>
            Add parameter
          </AddButton>
        </Group>
      )}
    </Stack>
  );
}
