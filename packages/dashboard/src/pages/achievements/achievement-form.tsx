import { Group, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { WritesFrom } from '@overworld/contract/players/verification';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { TrialResult } from '../../reports/trials/trial-result.tsx';
import { useTrial } from '../../reports/trials/use-trial.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { NameAndKeyFields } from '../../ui/forms/name-and-key-fields.tsx';
import { formatCount } from '../../ui/format.ts';
import { TranslationFields } from '../../ui/forms/translation-fields.tsx';
import {
  findTranslationProblem,
  readTranslations,
  typeTranslations,
} from '../../ui/forms/translations.ts';
import { WRITERS } from '../../ui/forms/writers.ts';
import type { TypedTranslation } from '../../ui/forms/translations.ts';
import { AchievementIcon } from './achievement-icon.tsx';
import type { Achievement } from './achievement-list.tsx';
import { findRuleProblem, readRule, RuleFields, typeRule } from './rule-fields.tsx';
import type { TypedCondition } from './rule-fields.tsx';

/** @param earned Null if they were not counted. */
function earnersInWords(earned: number | null): string {
  if (earned === null) return 'all players who have earned it';
  return earned === 1 ? 'this player' : `these ${formatCount(earned)} players`;
}

/** Makes the search for the players who meet a rule, and lack its achievement if it is there already. */
function searchEarners(key: string | null, rule: readonly TypedCondition[]): string {
  const filter = readRule(rule).map(({ stat, at_least }) => ({
    stat,
    operator: 'gte' as const,
    value: at_least,
  }));
  const search = new URLSearchParams({ filter: JSON.stringify(filter) });
  if (key !== null) search.set('without_achievement', key);
  return `?${search}`;
}

/** The fields of a definition, as they are typed. */
interface Fields {
  name: string;
  description: string;
  translations: TypedTranslation[];
  icon_url: string;
  points: number;
  unlock_when: TypedCondition[];
  hidden: boolean;
  writes_from: WritesFrom;
}

/** @param edited Null for a new achievement. */
export function AchievementForm({ edited }: { edited: Achievement | null }) {
  const { game_id, inEnvironment, environment, path } = useGame();
  const create = useChange('POST /v1/games/{game_id}/achievements');
  const update = useChange('PATCH /v1/games/{game_id}/achievements/{key}');
  const grant = useChange('POST /v1/games/{game_id}/achievement-grants');
  const form = useForm({
    initialValues: {
      name: edited?.name ?? '',
      key: edited?.key ?? '',
      description: edited?.description ?? '',
      translations: typeTranslations(edited?.translations ?? {}, ['name', 'description']),
      icon_url: edited?.icon_url ?? '',
      points: edited?.points ?? 10,
      unlock_when: typeRule(edited?.unlock_when ?? []),
      gives: true,
      hidden: edited?.hidden ?? false,
      writes_from: edited?.writes_from ?? ('anyone' as WritesFrom),
    },
    validate: { translations: findTranslationProblem, unlock_when: findRuleProblem },
  });

  const { name, description, translations, unlock_when, gives } = form.values;
  const definitionOf = ({ translations: typed, unlock_when: rule, ...rest }: Fields) => ({
    ...rest,
    translations: readTranslations(typed),
    unlock_when: readRule(rule),
  });
  // A rule that stays as it is was tried before.
  const isNewRule =
    JSON.stringify(readRule(unlock_when)) !== JSON.stringify(edited?.unlock_when ?? []);
  const isTried = isNewRule && unlock_when.length > 0 && findRuleProblem(unlock_when) === null;
  const trial = useTrial(
    isTried
      ? {
          kind: 'achievement',
          key: edited?.key ?? 'new',
          definition: { name: 'Trial', unlock_when: readRule(unlock_when) },
        }
      : null,
  );
  const tried = trial.isOld ? undefined : trial.trials?.[0];
  // Null if they could not be counted; a grant finds them nevertheless.
  const earned = tried === undefined ? 0 : (tried.players?.count ?? null);

  const submit = async ({ key, gives: _, ...fields }: typeof form.values): Promise<unknown> => {
    const body = definitionOf(fields);
    const stored = edited
      ? await update.mutateAsync({ params: { game_id, key }, body })
      : await create.mutateAsync({ params: { game_id }, body: { key, ...body } });
    if (isTried && gives && earned !== 0) {
      await grant.mutateAsync({ ...inEnvironment(), body: { achievement_key: stored.key } });
    }
    return stored;
  };

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={edited ? 'Save' : 'Create achievement'}
      gap="sm"
    >
      <NameAndKeyFields form={form} isNew={edited === null} keyUse="Your game unlocks it" />
      <Textarea
        label="Description"
        description="How to earn it"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      <TranslationFields
        texts={[
          { name: 'name', label: 'Name', by_default: name },
          { name: 'description', label: 'Description', by_default: description, isLong: true },
        ]}
        value={translations}
        onChange={(typed) => form.setFieldValue('translations', typed)}
        error={form.errors.translations}
      />
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          label="Icon address"
          placeholder="https://…"
          style={{ flex: 1 }}
          {...form.getInputProps('icon_url')}
        />
        <AchievementIcon url={/^https?:/.test(form.values.icon_url) ? form.values.icon_url : ''} />
      </Group>
      <NumberInput label="Points" w={140} allowDecimal={false} {...form.getInputProps('points')} />
      <RuleFields
        value={unlock_when}
        onChange={(typed) => form.setFieldValue('unlock_when', typed)}
        error={form.errors.unlock_when}
      />
      {isTried && (
        <TrialResult
          trial={trial}
          idle=""
          tab="achievements"
          list={`${path('players')}${searchEarners(edited?.key ?? null, unlock_when)}`}
        />
      )}
      {isTried && earned !== 0 && (
        <Switch
          label={`Give it to ${earnersInWords(earned)} of ${environment} now`}
          description="Otherwise they get it with their next change. It can be undone."
          {...form.getInputProps('gives', { type: 'checkbox' })}
        />
      )}
      <Select label="Unlocked by" data={WRITERS} {...form.getInputProps('writes_from')} />
      <Switch
        label="Hidden: players see ??? until they unlock it"
        {...form.getInputProps('hidden', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
