import {
  Alert,
  Anchor,
  Group,
  MultiSelect,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { MAX_EXPERIMENT_VARIANTS } from '@overworld/contract/remote-config/experiment-limits';
import { Link } from 'react-router';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { AddButton } from '../../../ui/add-button.tsx';
import { formatShare } from '../../../ui/format.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconTrash } from '../../../ui/icons.ts';
import { blankVariant } from './experiment-draft.ts';
import type { ExperimentDraft, VariantDraft } from './experiment-draft.ts';
import classes from './experiment-form.module.css';

type Parameters = Answer<'GET /v1/games/{game_id}/config'>['parameters'];

interface FieldsProps {
  draft: ExperimentDraft;
  onChange: (changes: Partial<ExperimentDraft>) => void;
}

/** The parameters that differ, and their values in each variant. */
export function VariantsFields(props: FieldsProps & { parameters: Parameters }) {
  const { draft, onChange, parameters } = props;
  const { path } = useGame();
  const { variants } = draft;
  const total_weight = variants.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0);
  const setVariant = (changed: VariantDraft) =>
    onChange({ variants: variants.map((each) => (each.id === changed.id ? changed : each)) });

  if (Object.keys(parameters).length === 0) {
    return (
      <Alert color="ochre" variant="light">
        The remote config has no parameters yet.{' '}
        <Anchor component={Link} to={path('config')} size="sm">
          Add one first
        </Anchor>
        , with the value that players have today.
      </Alert>
    );
  }
  return (
    <Stack gap="md">
      <MultiSelect
        label="Parameters"
        description="They differ between the variants. A value of a variant comes before all rules."
        placeholder={draft.parameters.length === 0 ? 'Choose from the remote config' : undefined}
        data={[...new Set([...Object.keys(parameters), ...draft.parameters])]}
        searchable
        value={draft.parameters}
        onChange={(chosen) =>
          onChange({ parameters: chosen, variants: fill(variants, chosen, parameters) })
        }
      />
      {variants.map((variant, index) => (
        <fieldset key={variant.id} className={classes.part}>
          <legend className="visually-hidden">
            {index === 0 ? 'Control' : `Variant ${index + 1}`}
          </legend>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={index === 0 ? 'Control' : 'Variant'}
              style={{ flex: 1 }}
              value={variant.name}
              onChange={(event) => setVariant({ ...variant, name: event.currentTarget.value })}
            />
            <NumberInput
              label="Weight"
              w={110}
              min={1}
              max={1_000}
              allowDecimal={false}
              value={variant.weight}
              onChange={(weight) => setVariant({ ...variant, weight })}
            />
            <Text size="sm" c="dimmed" w={52} ta="end" pb={8}>
              {total_weight > 0 ? formatShare((Number(variant.weight) || 0) / total_weight) : ''}
            </Text>
            {index > 0 && variants.length > 2 && (
              <IconButton
                icon={IconTrash}
                label={`Remove ${variant.name}`}
                onClick={() => onChange({ variants: variants.toSpliced(index, 1) })}
              />
            )}
          </Group>
          {index === 0 ? (
            <Text size="xs" c="dimmed">
              The control gets the remote config as it is.
            </Text>
          ) : (
            draft.parameters.map((key) => (
              <TextInput
                key={key}
                label={<code className="name">{key}</code>}
                description={`The control has ${JSON.stringify(parameters[key]?.value)}`}
                placeholder="JSON"
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
                value={variant.values[key] ?? ''}
                onChange={(event) =>
                  setVariant({
                    ...variant,
                    values: { ...variant.values, [key]: event.currentTarget.value },
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
            onChange({
              variants: fill([...variants, blankVariant(name)], draft.parameters, parameters),
            });
          }}
        >
          Add variant
        </AddButton>
      )}
    </Stack>
  );
}

/** Begins with the values of the config where a variant has none. */
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
