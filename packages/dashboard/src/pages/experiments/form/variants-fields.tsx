import { Alert, Group, MultiSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { MAX_EXPERIMENT_VARIANTS } from '@overworld/contract/remote-config/experiment-limits';
import { IconTrash } from '@tabler/icons-react';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { AddButton, IconButton } from '../../../ui/buttons.tsx';
import { Dimmed, Note } from '../../../ui/text.tsx';
import { formatShare } from '../../../ui/format.ts';
import { TextLink } from '../../../ui/links.tsx';
import { blankVariant } from './experiment-draft.ts';
import type { ExperimentFields, VariantDraft } from './experiment-draft.ts';
import classes from './experiment-form.module.css';
import { showName } from '../../../ui/shown-name.ts';

type Parameters = Answer<'GET /v1/games/{game_id}/config'>['parameters'];

/** The parameters that differ between variants, and the values of each variant. */
export function VariantsFields(props: { form: ExperimentFields; parameters: Parameters }) {
  const { form, parameters } = props;
  const { path } = useGame();
  const { variants, parameters: chosen } = form.values;
  const total_weight = variants.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0);

  if (Object.keys(parameters).length === 0) {
    return (
      <Alert color="ochre">
        The remote config has no parameters yet.{' '}
        <TextLink to={path('config')}>Add one first</TextLink>, with the value that players have
        today.
      </Alert>
    );
  }
  return (
    <Stack gap="md">
      <MultiSelect
        label="Parameters"
        description="They differ between the variants. A value of a variant comes before all rules."
        placeholder={chosen.length === 0 ? 'Choose from the remote config' : undefined}
        data={[...new Set([...Object.keys(parameters), ...chosen])]}
        searchable
        {...form.getInputProps('parameters')}
        onChange={(keys) =>
          form.setValues({ parameters: keys, variants: fill(variants, keys, parameters) })
        }
      />
      {variants.map((variant, index) => (
        <fieldset key={variant.id} className={classes.part}>
          <legend className="visually-hidden">
            {index === 0 ? 'Control' : `Variant ${index + 1}`}
          </legend>
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              label={index === 0 ? 'Control' : 'Variant'}
              style={{ flex: 1 }}
              {...form.getInputProps(`variants.${index}.name`)}
            />
            <NumberInput
              label="Weight"
              w={110}
              min={1}
              max={1_000}
              allowDecimal={false}
              {...form.getInputProps(`variants.${index}.weight`)}
            />
            <Dimmed w={52} ta="end" pt={32}>
              {total_weight > 0 ? formatShare((Number(variant.weight) || 0) / total_weight) : ''}
            </Dimmed>
            {index > 0 && variants.length > 2 && (
              <IconButton
                icon={IconTrash}
                label={`Remove ${variant.name}`}
                mt={28}
                onClick={() => form.removeListItem('variants', index)}
              />
            )}
          </Group>
          {index === 0 ? (
            <Note>The control gets the remote config as it is.</Note>
          ) : (
            chosen.map((key) => (
              <TextInput
                key={key}
                label={<code className="name">{showName(key)}</code>}
                description={`The control has ${JSON.stringify(parameters[key]?.value)}`}
                placeholder="JSON"
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                value={variant.values[key] ?? ''}
                onChange={(event) =>
                  form.setFieldValue(`variants.${index}.values`, {
                    ...variant.values,
                    [key]: event.currentTarget.value,
                  })
                }
              />
            ))
          )}
        </fieldset>
      ))}
      {variants.length < MAX_EXPERIMENT_VARIANTS && (
        <AddButton
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            const name = `Variant ${'ABCDE'[variants.length]}`;
            const all = [...variants, blankVariant(name)];
            form.setFieldValue('variants', fill(all, chosen, parameters));
          }}
        >
          Add variant
        </AddButton>
      )}
    </Stack>
  );
}

/** Gives each variant a value for each parameter: its own, or else the value in the config. */
const fill = (
  variants: readonly VariantDraft[],
  keys: readonly string[],
  parameters: Parameters,
): VariantDraft[] =>
  variants.map((variant) => ({
    ...variant,
    values: Object.fromEntries(
      keys.map((key) => [key, variant.values[key] ?? JSON.stringify(parameters[key]?.value) ?? '']),
    ),
  }));
